import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWritable } from "../src/database/open-database.ts";
import { createAddressWalk } from "../src/reads/address-walk.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** Over five pieces, ending and beginning at their edges; numbers between them belong to others. */
const ADA = [3, 1_023, 1_024, 1_025, 4_095, 4_096, 4_097];

function openWalk(written: readonly number[]) {
  const stateDir = createTemporaryFolder();
  openWritable(stateDir, { synchronous: "normal" }).close();
  const database = new DatabaseSync(`${stateDir}/banyan.db`);
  onTestFinished(() => database.close());
  const insert = database.prepare(
    `INSERT INTO items (seq, dedupe, native_id, kind, state, address, attempt, received_at, body)
     VALUES (?, ?, ?, 0, 2, ?, 1, 0, '{}')`,
  );
  for (const seq of written) insert.run(seq, `dedupe ${seq}`, `${seq}`, "irc/main/dm/ada");
  for (const seq of [1, 2_000, 3_000, 5_000]) insert.run(seq, `dedupe ${seq}`, `${seq}`, "irc/main/dm/bob");
  const walk = createAddressWalk(database, { table: "items", key: "seq", columns: "seq AS pos", filter: "kind < 2" });
  const newest = (limit: number) => walk.newest("irc/main/dm/ada", limit).map(({ pos }) => pos);
  const after = (pos: number, limit: number) => walk.after("irc/main/dm/ada", pos, limit).map((row) => row.pos);
  return { newest, after };
}

describe("what was said at an address", () => {
  test.each([
    { limit: 1, newest: [4_097] },
    { limit: 4, newest: [4_097, 4_096, 4_095, 1_025] },
    { limit: 7, newest: ADA.toReversed() },
    { limit: 100, newest: ADA.toReversed() },
  ])("is found from its end on, however far apart it stands: $limit", ({ limit, newest }) => {
    expect(openWalk(ADA).newest(limit)).toEqual(newest);
  });

  test.each([
    { pos: 0, limit: 100, after: ADA },
    { pos: 1_023, limit: 3, after: [1_024, 1_025, 4_095] },
    { pos: 1_024, limit: 1, after: [1_025] },
    { pos: 2_500, limit: 2, after: [4_095, 4_096] },
    { pos: 4_097, limit: 2, after: [] },
  ])("is found behind the number $pos: $limit", ({ pos, limit, after }) => {
    expect(openWalk(ADA).after(pos, limit)).toEqual(after);
  });

  test("is nothing where nobody has spoken", () => {
    const { newest, after } = openWalk([]);
    expect([newest(5), after(0, 5)]).toEqual([[], []]);
  });
});
