import { createInlineStore } from "@banyan/store-sqlite/inline";
import { describe, expect, test } from "vitest";
import { findStoredRun, findStoredRunIfAny } from "../../src/state/find-stored-run.ts";
import { listNewestRuns } from "../../src/state/list-runs.ts";
import { childKey, RunDesk } from "./run-desk.ts";

async function openStore() {
  const store = createInlineStore({ clock: { now: () => 1_000 } });
  const desk = new RunDesk(store);
  await desk.open();
  await desk.spawns("9f3a1111", { label: "words 1/3", taskName: "words" });
  await desk.spawns("9f3a2222", { label: "words 2/3" });
  await desk.spawns("12345678", { from: childKey("9f3a1111"), parentRunId: "9f3a1111", label: "pages" });
  await desk.begins("9f3a1111");
  await desk.ends("9f3a2222", "4,210 words");
  return { store, desk };
}

describe("a run is found by", () => {
  test.each([
    ["its id", "9f3a2222", "9f3a2222"],
    ["the beginning of its id, cut by a listing", " 1234… ", "12345678"],
    ["its label", "Words 2/3", "9f3a2222"],
    ["its task's name", "words", "9f3a1111"],
    ["its session's key", childKey("12345678"), "12345678"],
    ["the word for the newest", "last", "12345678"],
  ])("%s", async (_name, given, runId) => {
    const { store } = await openStore();
    expect((await findStoredRun(store.read, given)).runId).toBe(runId);
  });

  test("its id, also where it is not among those that are searched", async () => {
    const { store } = await openStore();
    const read = { ...store.read, runs: async () => [] };
    expect((await findStoredRun(read, "9f3a1111")).name).toBe("words 1/3");
  });

  test.each([
    ["9f3a", '2 are called so, received "9f3a"; give the id of one: words 1/3 (9f3a1111), words 2/3 (9f3a2222)'],
    ["zzzz", 'none is called so, received "zzzz"; there are words 1/3 (9f3a1111), words 2/3'],
    ["1", 'none is called so, received "1"'],
  ])("not by %j", async (given, wrong) => {
    const { store } = await openStore();
    await expect(findStoredRun(store.read, given)).rejects.toMatchObject({
      code: "run_not_found",
      message: expect.stringContaining(wrong),
    });
  });
});

test("what need not be a run may be none, but not several", async () => {
  const { store } = await openStore();
  expect(await findStoredRunIfAny(store.read, "zzzz")).toBeUndefined();
  await expect(findStoredRunIfAny(store.read, "9f3a")).rejects.toMatchObject({ code: "run_not_found" });
});

describe("runs are listed, the newest first", () => {
  test.each([
    ["all", {}, "12345678 9f3a2222 9f3a1111"],
    ["those a session asked for", { requesterSessionKey: childKey("9f3a1111") }, "12345678"],
    ["those at work or waiting for it", { state: "unfinished" }, "12345678 9f3a1111"],
    ["those that run", { state: "running" }, "9f3a1111"],
    ["those that ended well", { state: "done" }, "9f3a2222"],
    ["those that failed", { state: "failed" }, ""],
  ])("%s", async (_name, query, ids) => {
    const { store } = await openStore();
    const { runs, isCut } = await listNewestRuns(store.read, { limit: 10, ...query });
    expect([runs.map(({ runId }) => runId).join(" "), isCut]).toEqual([ids, false]);
  });

  test("over several pages, and cut where the limit is", async () => {
    const { store, desk } = await openStore();
    for (let count = 0; count < 450; count += 1) {
      await desk.spawns(`e${count}`, { label: `e${count}` });
      await desk.ends(`e${count}`, "");
    }
    const all = await listNewestRuns(store.read, { limit: 1_000 });
    expect([all.runs.length, new Set(all.runs.map(({ runId }) => runId)).size, all.isCut]).toEqual([453, 453, false]);
    const some = await listNewestRuns(store.read, { limit: 3 });
    expect([some.runs.map(({ runId }) => runId), some.isCut]).toEqual([["e449", "e448", "e447"], true]);
    expect((await findStoredRun(store.read, "e0")).runId).toBe("e0");
  });
});
