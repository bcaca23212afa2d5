import type { CutTurns, SessionInterruption } from "@banyan/plugin-sdk";
import type { InterruptRules } from "../../config/shapes/interrupt-setting.ts";
import { buildInterruptionEntry } from "../../sessions/transcript.ts";
import type { Stamps, Turn, TurnEnd } from "../compose-turn.ts";

/** Whoever writes without a pause cuts off one turn after the other: the agent is told of the latest. */
const MOST_CUT_TURNS = 10;

/**
 * The end of a turn that a newer message has cut off: what it had said stays in the transcript and is not sent, and its
 * state is saved with that: which it was, and how the next turn starts from it. Pure but for the stamp.
 */
export function composeInterrupted(
  { reply: _, error: __, ...end }: TurnEnd,
  turn: Turn,
  rules: InterruptRules,
  stamps: Pick<Stamps, "now">,
): TurnEnd {
  const cut = buildCutTurns(turn, rules);
  const said = end.entries.filter(({ role }) => role === "assistant");
  const id = `interruption|${turn.claim.item.seq}|${turn.record.entry.sessionId}`;
  const mark = buildInterruptionEntry({ id, timestamp: stamps.now() }, cut);
  const interruption: SessionInterruption = {
    ...cut,
    ...(rules.model === undefined ? {} : { model: rules.model }),
    ...(rules.thinking === undefined ? {} : { thinkingLevel: rules.thinking }),
  };
  return {
    ...end,
    outcome: "done",
    entries: [...said, mark],
    figures: { ...end.figures, messages: said.length + 1, isFailed: false, interruption },
  };
}

/** Where the turn itself began behind one that was cut off, both are told of. */
function buildCutTurns({ claim, record }: Turn, { resume }: InterruptRules): CutTurns {
  const { interruption } = record.entry;
  const isSetBack = resume === "checkpoint";
  return {
    itemSeqs: [...(interruption?.itemSeqs ?? []), claim.item.seq].slice(-MOST_CUT_TURNS),
    ...(isSetBack ? { isSetBack } : {}),
  };
}
