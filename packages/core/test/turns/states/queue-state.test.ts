import type { SessionInterruption } from "@banyan/plugin-sdk";
import type { ItemRow, RunState } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { decideQueueState, decideWorkState, type QueueFacts } from "../../../src/turns/states/queue-state.ts";

function row(seq: number, more: Partial<ItemRow> = {}): ItemRow {
  const body = JSON.stringify({ id: `${seq}`, text: "dig", sender: { id: "7" }, at: 0 });
  const plain = { lane: "a", kind: "message", state: "waiting", address: "irc/default/dm/7", attempt: 0 } as const;
  return { ...plain, seq, receivedAtMs: 0, body, ...more };
}

const interruption: SessionInterruption = { itemSeqs: [1] };
const idle: QueueFacts = { entry: {}, open: [], hasOpenRuns: false, isAsking: false };
const atWork: QueueFacts = { ...idle, open: [row(1, { state: "active" }), row(2), row(3, { priority: 8 })] };
const live = { heardSeqs: [], isWaiting: false };

describe("the turn of a conversation", () => {
  test.each<readonly [string, QueueFacts, string | undefined, string | undefined]>([
    ["nothing at work and nothing waited for", idle, undefined, undefined],
    ["a turn at work", atWork, "executing", undefined],
    ["one that was handed a steer", { ...atWork, live: { ...live, heardSeqs: [2] } }, "steering", undefined],
    ["one that has asked a person", { ...atWork, isAsking: true, hasOpenRuns: true }, "blocked", undefined],
    ["one that works beside its sub-agents", { ...atWork, hasOpenRuns: true, live }, "executing", undefined],
    [
      "one that waits for its sub-agents",
      { ...atWork, hasOpenRuns: true, live: { ...live, isWaiting: true } },
      "waiting_for_collect",
      undefined,
    ],
    ["one that ended while they work", { ...idle, hasOpenRuns: true }, "waiting_for_collect", undefined],
    ["one that a newer message cut off", { ...idle, entry: { interruption } }, "interrupted", "state_saved"],
    ["the one behind it", { ...atWork, entry: { interruption } }, "executing", "recovery_mode"],
  ])("%s", (_, facts, turn, cut) => {
    const state = decideQueueState(facts);
    expect([state.turn, state.cut]).toEqual([turn, cut]);
  });
});

test.each<readonly [string, QueueFacts, true | undefined]>([
  ["at work after one death", { ...idle, open: [row(1, { state: "active", deaths: 1 })] }, undefined],
  ["at work after two in a row", { ...idle, open: [row(1, { state: "active", deaths: 2 })] }, true],
  ["that waits to run alone", { ...idle, open: [row(1, { deaths: 3 }), row(2)] }, true],
  ["that is only written down", { ...idle, open: [row(1, { deaths: 3, wake: "append" })] }, undefined],
])("a turn %s is a suspect: %s", (_, facts, isSuspect) => {
  expect(decideQueueState(facts).isSuspect).toBe(isSuspect);
});

describe("what waits behind it", () => {
  test("is queued, prioritized when somebody has said how urgent it is, dispatched with a turn or by a steer", () => {
    const facts = { ...atWork, open: [...atWork.open, row(4), row(5, { kind: "command" })] };
    expect(decideQueueState({ ...facts, live: { ...live, heardSeqs: [4] } }).backlog).toEqual([
      { seq: 1, kind: "message", state: "dispatched" },
      { seq: 2, kind: "message", state: "queued" },
      { seq: 3, kind: "message", state: "prioritized", priority: 8 },
      { seq: 4, kind: "message", state: "dispatched" },
    ]);
  });
});

test.each<readonly [RunState, Parameters<typeof decideWorkState>[1], string]>([
  ["reserved", undefined, "queued"],
  ["accepted", undefined, "queued"],
  ["running", "executing", "executing"],
  ["running", "blocked", "blocked"],
  ["running", "waiting_for_collect", "waiting_for_collect"],
  ["waiting", undefined, "waiting_for_collect"],
  ["ended", undefined, "completed"],
])("a run that is %s, with its session's turn %s: %s", (state, turn, word) => {
  expect(decideWorkState({ state }, turn)).toBe(word);
});
