import assert from "node:assert/strict";
import type { StoreReads } from "../../store.ts";

/** Keys whose numbers a driver gives as it likes, as long as they grow. */
const GIVEN_NUMBERS: ReadonlySet<string> = new Set(["seq", "pos", "firstSeq", "itemSeq", "items", "active"]);

/**
 * Compares the answers of two stores. Their `seq` and `pos` need not be equal, only stand for each other throughout;
 * times are each driver's own.
 */
export interface TwinNumbers {
  /** The second store's number for the first one's. A number that was never seen stands for itself. */
  find(first: number): number;
  /** Throws an `AssertionError` that names the place where the answers differ. */
  assertTwins(first: unknown, second: unknown): void;
}

/** A question that can be put to each store, with its own numbers in it. */
export type TwinRead = (read: StoreReads, number: TwinNumbers["find"]) => Promise<unknown>;

export function createTwinNumbers(): TwinNumbers {
  const seconds = new Map<number, number>();
  const firsts = new Map<number, number>();

  function pair(first: number, second: number, path: string): void {
    assert.equal(second, seconds.get(first) ?? second, path);
    assert.equal(first, firsts.get(second) ?? first, path);
    seconds.set(first, second);
    firsts.set(second, first);
  }

  function compare(first: unknown, second: unknown, key: string, path: string): void {
    if (typeof first === "number" && typeof second === "number") {
      if (GIVEN_NUMBERS.has(key)) pair(first, second, path);
      else if (!key.endsWith("Ms")) assert.equal(second, first, path);
    } else if (Array.isArray(first) && Array.isArray(second)) {
      assert.equal(second.length, first.length, `${path}.length`);
      for (const [index, value] of first.entries()) compare(value, second[index], key, `${path}[${index}]`);
    } else if (isRecord(first) && isRecord(second)) {
      assert.deepEqual(Object.keys(second).toSorted(), Object.keys(first).toSorted(), path);
      for (const [name, value] of Object.entries(first)) {
        compare(value, second[name], isCount(first, name) ? "count" : name, `${path}.${name}`);
      }
    } else assert.deepEqual(second, first, path);
  }

  return {
    find: (first) => seconds.get(first) ?? first,
    assertTwins: (first, second) => compare(first, second, "", "answer"),
  };
}

/** An entry's `seq` is counted per session, a step's `items` may be how many: the same in every driver. */
function isCount(row: Readonly<Record<string, unknown>>, name: string): boolean {
  if (name === "items") return typeof row.items === "number";
  return name === "seq" && "sessionKey" in row && "sessionId" in row;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
