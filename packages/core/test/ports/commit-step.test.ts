import { type Step, type Store, StoreError, type StoreErrorCode } from "@banyan/store";
import type { CommitFaultAnswer } from "@banyan/store-sqlite/inline";
import { describe, expect, it } from "vitest";
import { commitPatiently, commitStep } from "../../src/ports/commit-step.ts";
import { pause } from "../../src/ports/pause.ts";
import { ManualClock, quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts } from "./test-ports.ts";

const STEP: Step = { step: "recover", owner: "owner" };

/** A store whose commits meet these faults, one each, and then work. */
function createFaulty(...faults: readonly CommitFaultAnswer[]): { store: Store; commits: () => number } {
  const left = [...faults];
  let commits = 0;
  const store = openTestStore({
    fault: (_step, when) => {
      if (when === "after") return "none";
      commits += 1;
      return left.shift() ?? "none";
    },
  });
  return { store, commits: () => commits };
}

const codeOf = (error: unknown): StoreErrorCode | undefined => (error instanceof StoreError ? error.code : undefined);

describe("commitStep", () => {
  it("sends the same step again until its end is known, and tells each repeat", async () => {
    const { store, commits } = createFaulty("commit_unknown", "commit_unknown");
    let repeats = 0;
    const result = await commitStep(store, STEP, () => {
      repeats += 1;
    });
    expect(result).toEqual({ status: "done", lanes: 0, deliveries: 0 });
    expect([commits(), repeats]).toEqual([3, 2]);
  });

  it("gives up after five unknown ends", async () => {
    const { store, commits } = createFaulty(...Array.from({ length: 5 }, () => "commit_unknown" as const));
    expect(codeOf(await commitStep(store, STEP).catch((error: unknown) => error))).toBe("commit_unknown");
    expect(commits()).toBe(5);
  });

  it.each(["full", "closed"] as const)("rejects at once when the store is %s", async (fault) => {
    const { store, commits } = createFaulty(fault);
    expect(codeOf(await commitStep(store, STEP).catch((error: unknown) => error))).toBe(fault);
    expect(commits()).toBe(1);
  });
});

describe("commitPatiently", () => {
  it.each([
    ["full", ["full", "full", "full"], "the store is full; free some disk space"],
    ["silent", Array.from({ length: 15 }, () => "commit_unknown" as const), "the store does not say whether it wrote"],
  ] as const)("waits, longer each time, while the store is %s", async (_name, faults, said) => {
    const ports = createTestPorts();
    const { store } = createFaulty(...faults);
    let end: unknown;
    void commitPatiently(store, STEP, ports, new AbortController().signal).then((result) => {
      end = result;
    });
    for (const waitMs of [250, 500, 1_000]) {
      await ports.clock.advance(waitMs - 1);
      expect(end).toBeUndefined();
      await ports.clock.advance(1);
    }
    expect(end).toMatchObject({ status: "done" });
    expect(ports.logged.map(({ fields, message }) => [Reflect.get(fields, "retryInMs"), message])).toEqual(
      [250, 500, 1_000].map((waitMs) => [waitMs, said]),
    );
  });

  it("waits at most half a minute between two tries", async () => {
    const ports = createTestPorts();
    const { store, commits } = createFaulty(...Array.from({ length: 1_000 }, () => "full" as const));
    const patience = new AbortController();
    const end = commitPatiently(store, STEP, ports, patience.signal).catch(codeOf);
    await ports.clock.advance(300_000);
    const before = commits();
    await ports.clock.advance(30_000);
    expect(commits()).toBe(before + 1);
    patience.abort();
    expect(await end).toBe("full");
  });

  it("ends the wait when the gateway stops, and does not wait for a store that has failed", async () => {
    const ports = createTestPorts();
    const patience = new AbortController();
    const waiting = commitPatiently(createFaulty("full", "full").store, STEP, ports, patience.signal).catch(codeOf);
    await quiet();
    patience.abort();
    expect(await waiting).toBe("full");
    const failed = commitPatiently(createFaulty("closed").store, STEP, ports, new AbortController().signal);
    expect(codeOf(await failed.catch((error: unknown) => error))).toBe("closed");
    expect(ports.clock.waiting).toBe(0);
  });
});

describe("pause", () => {
  it("ends with the time, with the signal, or at once when that has aborted", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const ended: string[] = [];
    void pause(clock, 100, new AbortController().signal).then(() => ended.push("time"));
    void pause(clock, 1_000, controller.signal).then(() => ended.push("signal"));
    await clock.advance(100);
    expect(ended).toEqual(["time"]);
    controller.abort();
    await quiet();
    expect(ended).toEqual(["time", "signal"]);
    expect(clock.waiting).toBe(0);
    await pause(clock, 1_000, controller.signal);
    expect(clock.waiting).toBe(0);
  });
});
