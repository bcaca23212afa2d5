import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { TurnDesk } from "@banyan/plugin-sdk/runtime/suite";
import { expect, test } from "vitest";
import { parseUpdate } from "../../src/links/agent-answer.ts";
import { CostMeter } from "../../src/turns/cost-meter.ts";
import { PromptEar } from "../../src/turns/prompt-ear.ts";
import { PromptUsage } from "../../src/turns/prompt-usage.ts";

/** What a turn notes of its agent's updates: `working`, `idle`, or `alive` where an update says neither. */
function noteOf(updates: readonly object[]): readonly string[] {
  const desk = new TurnDesk();
  const noted: string[] = [];
  const turn: LiveTurn = {
    input: desk.turn("hello"),
    signal: new AbortController().signal,
    say: async () => undefined,
    waitFor: (promise) => promise,
    noteActivity: (isWorking) => void noted.push(isWorking === undefined ? "alive" : isWorking ? "working" : "idle"),
    reportUsage: () => undefined,
    reportModel: () => undefined,
    callTool: async () => ({ text: "", isError: false }),
  };
  const usage = new PromptUsage(turn, new CostMeter(0));
  const ear = new PromptEar({ turn, profile: "ask", audience: "known", usage, log: desk.log });
  for (const update of updates) ear.hear({ tag: ear.tag, update: parseUpdate({ sessionId: "s", update }).update });
  return noted;
}

const begins = (toolCallId: string, status?: string) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "dig",
  status,
});
const goesOn = (toolCallId: string, status?: string) => ({ sessionUpdate: "tool_call_update", toolCallId, status });

test.each([
  ["a thought", { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } }, ["alive"]],
  ["a plan", { sessionUpdate: "plan", entries: [] }, ["alive"]],
  ["a kind that nobody knows", { sessionUpdate: "available_commands_update", availableCommands: [] }, []],
])("what a turn notes of %s", (_name, update, noted) => {
  expect(noteOf([update])).toEqual(noted);
});

test("a tool call is at work from its beginning until its end is reported", () => {
  expect(noteOf([begins("a"), goesOn("a"), goesOn("a", "in_progress"), goesOn("a", "completed")])).toEqual([
    "working",
    "working",
    "working",
    "idle",
  ]);
  expect(noteOf([begins("a", "in_progress"), goesOn("a", "failed")])).toEqual(["working", "idle"]);
});

test("a tool call is at work while another one ends, and a status that nobody knows is an end", () => {
  expect(noteOf([begins("a"), begins("b"), goesOn("a", "completed"), goesOn("b", "cancelled")])).toEqual([
    "working",
    "working",
    "working",
    "idle",
  ]);
});

test("a tool call that is reported only when it has ended is a sign of life", () => {
  expect(noteOf([begins("a", "completed"), goesOn("a")])).toEqual(["idle", "idle"]);
});
