import type { TurnEnd } from "../compose-turn.ts";
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

/** What was steered stands in the transcript before the answer. What was interrupted tells the chat nothing. */
export function tellSteered(end: TurnEnd, { taken, isInterrupted }: SteeringEnd, sessionId: string): TurnEnd {
  if (taken.length === 0 && !isInterrupted) return end;
  const { reply, ...rest } = end;
  const entries = [...taken.map((message) => buildTakenEntry(message, sessionId)), ...end.entries];
  const figures = { ...end.figures, messages: end.figures.messages + taken.length };
  return { ...rest, entries, figures, ...(reply === undefined || isInterrupted ? {} : { reply }) };
}
