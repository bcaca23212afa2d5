import type { Stamps, Turn, TurnEnd } from "../compose-turn.ts";
import { composeInterrupted } from "../interrupts/compose-interrupted.ts";
import type { LiveTurn } from "../live-turn.ts";
import { buildTakenEntry, listTakenCompletions } from "../taken-message.ts";
import type { SteeringEnd } from "./turn-steering.ts";

/** The turn answers to what it was told while it ran as well: that ends with it. */
export function addSteered(live: LiveTurn, { taken }: SteeringEnd): LiveTurn {
  if (taken.length === 0) return live;
  const { turn } = live;
  return {
    ...live,
    turn: {
      ...turn,
      taken: [...turn.taken, ...taken.map(({ seq }) => seq)],
      completions: [...turn.completions, ...listTakenCompletions(taken)],
      body: { ...turn.body, ...raiseHops(turn.body.hops, taken) },
    },
  };
}

/** A loop of agents is as long as the longest way that led here. */
function raiseHops(own: number | undefined, taken: SteeringEnd["taken"]): { readonly hops?: number } {
  const hops = Math.max(own ?? 0, ...taken.map(({ body }) => body.hops ?? 0));
  return hops > 0 ? { hops } : {};
}

/**
 * What was steered stands in the transcript before the answer. Who came to an end while a newer message stopped him has
 * answered, and is told as any other.
 */
export function tellSteered(end: TurnEnd, { taken, interruptedBy }: SteeringEnd, turn: Turn, stamps: Stamps): TurnEnd {
  const own = interruptedBy !== undefined && end.isCut ? composeInterrupted(end, turn, interruptedBy, stamps) : end;
  if (taken.length === 0) return own;
  const { sessionId } = turn.record.entry;
  const entries = [...taken.map((message) => buildTakenEntry(message, sessionId)), ...own.entries];
  return { ...own, entries, figures: { ...own.figures, messages: own.figures.messages + taken.length } };
}
