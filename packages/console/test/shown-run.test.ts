import { parseRunRow, type RunRecord } from "@banyan/core";
import type { DeliveryRow, RunRow } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { buildShownRun, listDeliveryNews } from "../src/shown-run.ts";

const KEY = "agent:main:subagent:a";
const COMPLETION = { runId: "a", childSessionKey: KEY, task: "", outcome: "done", result: "one\ntwo", durationMs: 300 };

function buildRun(change: Partial<RunRow> = {}, body: object = {}): RunRecord {
  return parseRunRow({
    runId: "a",
    dedupe: "a",
    childSessionKey: KEY,
    requesterSessionKey: "agent:main:main",
    rootSessionKey: "agent:main:main",
    isAwaited: true,
    route: "irc/default/dm/ada",
    state: "ended",
    endedReason: "complete",
    createdAtMs: 1_000,
    changedAtMs: 1_000,
    result: JSON.stringify(COMPLETION),
    ...change,
    body: JSON.stringify({ task: "docs", expectsCompletionMessage: true, ...body }),
  });
}

function buildDelivery(change: Partial<DeliveryRow>, alsoRunIds: readonly string[] = []): DeliveryRow {
  return {
    id: "d.0",
    deliveryId: "d",
    part: 0,
    of: 1,
    kind: "completion",
    channel: "irc",
    account: "default",
    address: "irc/default/dm/ada",
    chat: "irc/default/dm/ada",
    policy: "at-least-once",
    state: "pending",
    attempts: 0,
    maybeRepeated: false,
    nextAtMs: 0,
    createdAtMs: 0,
    pos: 1,
    runId: "a",
    ...change,
    body: JSON.stringify({ text: "", announcement: { alsoRunIds } }),
  };
}

describe("of the message about a run the page says", () => {
  test.each<[string, Partial<DeliveryRow>, object | undefined]>([
    ["that it is on its way", { state: "sending" }, { delivery: "on its way to the chat" }],
    ["that it is stuck", { state: "stuck" }, { delivery: "stuck on its way to the chat", isUndelivered: true }],
    ["that nobody knows", { state: "unknown" }, { delivery: "perhaps not in the chat", isUndelivered: true }],
    ["that it failed", { state: "undeliverable" }, { delivery: "could not be sent to the chat", isUndelivered: true }],
    ["nothing once it is there", { state: "sent" }, undefined],
    ["nothing of another message", { kind: "reply" }, undefined],
  ])("%s", (_name, change, news) => {
    expect(listDeliveryNews([buildDelivery(change)]).get("a")).toEqual(news);
  });

  test("the same for all the runs that it tells of", () => {
    expect([...listDeliveryNews([buildDelivery({}, ["b", "c"])]).keys()]).toEqual(["a", "b", "c"]);
  });
});

describe("a run on the page", () => {
  const show = (run: RunRecord) => buildShownRun({ run, children: [] }, new Map(), 13_000);

  test("that has ended says what came of it, and that nobody has told the chat yet", () => {
    expect(show(buildRun())).toMatchObject({ words: "done", ms: 300, note: "two", delivery: "not announced yet" });
  });

  test.each<[string, RunRecord]>([
    ["was told", buildRun({ settledBy: "parent" })],
    ["is to be told to nobody", buildRun({}, { expectsCompletionMessage: false })],
    ["has not ended", buildRun({ state: "running" })],
  ])("that %s says nothing of a message", (_name, run) => {
    expect(show(run).delivery).toBeUndefined();
  });
});
