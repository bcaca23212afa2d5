import type { RunRow, StoreReads } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { readUnfinishedBelow, readUnfinishedBelowRun, readUnfinishedChildren } from "../../src/runs/read-runs-below.ts";
import { TreeDesk } from "../subagents/tree-desk.ts";
import { buildRow, childKey, ROOT } from "./run-rows.ts";

/** A chain of three: the middle one is not waited for, and who asked for it is done. */
async function openChain(): Promise<TreeDesk> {
  const desk = await new TreeDesk().start();
  const asksFor = (task: string) => ({ task, label: task, expectsCompletionMessage: false });
  desk.plays(/^top/, async ({ call }) => {
    await call("sessions_spawn", asksFor("middle"));
    return "asked";
  });
  desk.plays(/^middle/, async ({ call }) => {
    await call("sessions_spawn", asksFor("leaf"));
    return "asked too";
  });
  desk.plays(/^leaf/, ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(""))));
  await desk.says("top");
  return desk;
}

const endsOf = async (desk: TreeDesk) => (await desk.runs()).map(({ state, endedReason }) => endedReason ?? state);

describe("what is at work below a session", () => {
  it("ends with its conversation, also where what had asked for it has ended", async () => {
    const desk = await openChain();
    expect(await endsOf(desk)).toEqual(["complete", "running"]);
    await desk.says("/new");
    expect(await endsOf(desk)).toEqual(["complete", "killed"]);
  });

  it("is left alone where another run of the session is stopped, and wakes the one that waits for it", async () => {
    const desk = await new TreeDesk().start();
    const hang = (signal: AbortSignal) =>
      new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("")));
    desk.plays(/^(work|more)/, ({ signal }) => hang(signal));
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "asked";
    });
    desk.plays(/“w”/, () => "it was stopped");
    await desk.says("/spawn --label m middle");
    await desk.says("/subagents send 1 more");
    const [, , sent] = await desk.runs();
    await desk.says(`/kill ${sent?.runId}`);
    expect(await endsOf(desk)).toEqual(["waiting", "running", "killed"]);
    await desk.says("/kill w");
    expect(await endsOf(desk)).toEqual(["complete", "killed", "killed"]);
    expect(desk.heard().some((text) => text.endsWith("it was stopped"))).toBe(true);
  });
});

/** Unfinished runs, by creation, as a store gives them. */
function createReads(rows: readonly RunRow[]): Pick<StoreReads, "run" | "runs"> {
  return {
    run: async (id) => rows.find(({ runId }) => runId === id),
    runs: async ({ requesterSessionKey, childSessionKey, rootSessionKey, afterRunId, limit }) => {
      const from = rows.findIndex(({ runId }) => runId === afterRunId) + 1;
      const fits = (row: RunRow) =>
        (requesterSessionKey ?? row.requesterSessionKey) === row.requesterSessionKey &&
        (childSessionKey ?? row.childSessionKey) === row.childSessionKey &&
        (rootSessionKey ?? row.rootSessionKey) === row.rootSessionKey;
      return rows.slice(from).filter(fits).slice(0, limit);
    },
  };
}

const below = (runId: string, above: string) =>
  buildRow(runId, { requesterSessionKey: childKey(above), parentRunId: above });
const askedIn = (runId: string, session: string) => buildRow(runId, { requesterSessionKey: childKey(session) });
const sentTo = (runId: string, session: string, change: { readonly requesterSessionKey?: string } = {}) =>
  buildRow(runId, { ...change, childSessionKey: childKey(session) });

const names = (runs: readonly RunRow[]) => runs.map(({ runId }) => runId).join(" ");

describe("of the runs of a tree", () => {
  /** `m` has asked for `x` and that one for `y`; people wrote in the threads of both, and sent `m` a message. */
  const rows = [
    buildRow("m"),
    below("x", "m"),
    below("y", "x"),
    askedIn("in-m", "m"),
    below("below-in-m", "in-m"),
    askedIn("in-x", "x"),
    sentTo("sent", "m"),
    buildRow("of-sent", { requesterSessionKey: childKey("m"), parentRunId: "sent" }),
    buildRow("other"),
    below("of-other", "other"),
  ];
  const read = createReads(rows);
  const [m = buildRow("m")] = rows;

  it("those below a session are all that it has asked for, for whatever, the deepest first", async () => {
    expect(names(await readUnfinishedBelow(childKey("m"), read))).toBe("y below-in-m in-x x in-m of-sent");
    expect(await readUnfinishedBelow(ROOT, read)).toHaveLength(rows.length);
  });

  it("those below a run are what it has asked for, and with the whole session what people asked for there", async () => {
    expect(names(await readUnfinishedBelowRun(m, false, read))).toBe("y in-x x");
    expect(names(await readUnfinishedBelowRun(m, true, read))).toBe("y below-in-m in-x x in-m");
    expect(names(await readUnfinishedBelowRun(sentTo("sent", "m"), false, read))).toBe("of-sent");
  });

  it("none is below itself, also where sessions ask each other", async () => {
    const back = sentTo("back", "m", { requesterSessionKey: childKey("in-m") });
    const circle = createReads([buildRow("m"), askedIn("in-m", "m"), back]);
    expect(names(await readUnfinishedBelowRun(back, true, circle))).toBe("in-m");
  });
});

it("what a session has asked for is read to the end, however much it is", async () => {
  const rows = Array.from({ length: 1_201 }, (_, at) => buildRow(`r${at}`));
  expect(await readUnfinishedChildren(ROOT, createReads(rows))).toEqual(rows);
});
