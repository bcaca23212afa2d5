/** What a turn leaves that somebody else ends: its words and its figures. */
import type { NewEntry } from "@banyan/store";
import { buildAnswerEntry, formatEntry } from "../sessions/transcript.ts";
import type { RunFigures } from "../sessions/update-after-run.ts";
import type { LiveTurn } from "./live-turn.ts";
import { findOwnOpening } from "./read-turn.ts";
import { priceUsage } from "./run-to-end.ts";
import { buildTakenEntry, type TakenMessage } from "./taken-message.ts";
import type { TurnParts } from "./turn-parts.ts";

/** What it had said so far: kept in the transcript, never sent. */
export function buildStoppedEntries(
  { turn, agent, run, calls, opening }: LiveTurn,
  taken: readonly TakenMessage[],
  { ports }: Pick<TurnParts, "ports">,
): readonly NewEntry[] {
  const { sessionId } = turn.record.entry;
  const told = taken.filter(({ body }) => body.completion === undefined);
  const input = [
    ...(calls.isOpened ? [] : findOwnOpening(turn, opening)),
    ...told.map((message) => formatEntry(buildTakenEntry(message, sessionId))),
  ];
  const text = run.textSoFar;
  if (text.trim() === "") return input;
  const { runId } = turn.claim.item;
  const stamp = { id: turn.answerId, timestamp: ports.clock.now() };
  return [
    ...input,
    formatEntry(buildAnswerEntry(stamp, { text, stopReason: "stopped", provider: agent.runtime, runId })),
  ];
}

/** What it has used: it counts as any other, in the record of whoever ends it. */
export async function buildStoppedFigures(live: LiveTurn, parts: TurnParts): Promise<RunFigures> {
  const usage = await priceUsage(live, live.run.usageSoFar, undefined, parts);
  return {
    now: parts.ports.clock.now(),
    policy: "preserve-activity",
    messages: 0,
    toolCalls: live.calls.count,
    isFailed: false,
    turns: 1,
    // Nobody was answered: what was cut off before it is still to be told.
    isBetween: true,
    ...(usage === undefined ? {} : { usage }),
  };
}
