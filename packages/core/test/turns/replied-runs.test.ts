import type { ContentPart } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { buildToolEntry } from "../../src/sessions/transcript.ts";
import { type RepliedTurn, readReplied } from "../../src/turns/replied-runs.ts";
import { buildRow } from "../runs/run-rows.ts";

const LANE = "agent:main:irc:dm:ada";
const SEQ = 7;
const TURN: RepliedTurn = {
  turn: { claim: { lane: LANE, item: { seq: SEQ } } },
  end: { outcome: "done", figures: { toolCalls: 1 } },
  reply: { kind: "reply", text: "they are green" },
};
const REPLY = JSON.stringify({ status: "replied", runId: "r1", reply: "3 tests", note: "comes again" });

interface Case {
  readonly text?: string;
  readonly isError?: boolean;
  /** The lane item whose turn sent to the run. */
  readonly spawnSeq?: number;
  readonly part?: ContentPart;
  readonly turn?: Partial<RepliedTurn>;
}

/** The runs that the turn has the reply of, when it got this result. */
async function readRuns({ text = REPLY, isError = false, spawnSeq = SEQ, part, turn }: Case): Promise<string[]> {
  const entry = {
    ...buildToolEntry(
      { id: "e", timestamp: 0 },
      { type: "tool_result", ordinal: 1, name: "sessions_send", text, isError },
    ),
    ...(part && { content: [part] }),
  };
  const replied = await readReplied(
    { ...TURN, ...turn },
    {
      runs: async () => [{ ...buildRow("r1"), spawnSeq }],
      entriesOfItem: async () => [{ id: "e", sessionId: "s", sessionKey: LANE, seq: 1, body: JSON.stringify(entry) }],
    },
  );
  return replied.map(({ runId }) => runId);
}

it.each<[string, Case, string[]]>([
  ["the reply that a call of it waited for", {}, ["r1"]],
  ["a run that an earlier turn sent to, whose reply it only looks up", { spawnSeq: SEQ - 1 }, []],
  ["a call that failed", { isError: true }, []],
  ["a file or a history that quotes the reply", { text: `[${REPLY}]` }, []],
  ["the reply of another run", { text: REPLY.replace("r1", "r12") }, []],
  ["no reply yet", { text: REPLY.replace("replied", "timeout") }, []],
  ["words of its own that look like the reply", { part: { type: "text", text: REPLY } }, []],
  ["the reply, and tells nobody", { turn: { reply: undefined } }, []],
  ["the reply, and fails", { turn: { end: { outcome: "failed", figures: { toolCalls: 1 } } } }, []],
])("a turn that has %s", async (_name, given, expected) => {
  expect(await readRuns(given)).toEqual(expected);
});
