import { findPassed } from "../budgets/allotment.ts";
import { readTurnAmounts } from "../budgets/amounts.ts";
import {
  composeAgentTurn,
  composeAppend,
  composeInterruption,
  composeLeftOut,
  composeOverBudget,
  composeQuarantine,
  MOST_ATTEMPTS,
  type Stamps,
  type Turn,
  type TurnEnd,
} from "./compose-turn.ts";
import { type LiveTurn, runAgent } from "./live-turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** Asks the agent, where it is to be asked, and says what its end means. */
export async function runToEnd(live: LiveTurn, parts: TurnParts, stamps: Stamps): Promise<TurnEnd> {
  const { turn, unfinished, calls } = live;
  const { item } = turn.claim;
  if (item.wake === "append") return composeAppend(turn, stamps);
  if (item.attempt > MOST_ATTEMPTS) return composeQuarantine(turn, stamps);
  if (unfinished !== undefined) return composeInterruption(turn, unfinished.name, stamps);
  if (turn.overflow === "old") {
    return composeLeftOut(turn, parts.getQueueRules(turn.record, turn.address).cap, stamps);
  }
  const { claim, record } = turn;
  const { budgets } = parts.getAgent(record);
  const isRecovery = claim.item.attempt > 1;
  const allotted = await parts.budgets.allot({ id: buildAllotmentId(turn.claim), record, isRecovery, budgets });
  if (allotted.kind === "refused") return composeOverBudget(turn, allotted.by, stamps);
  const { allowances } = allotted;
  const end = await runAgent(live, parts, (usage) => findPassed(allowances, readTurnAmounts(usage)));
  calls.end();
  const { count, sayings } = calls;
  return { ...composeAgentTurn(turn, end, count, stamps), sayings };
}

/** What is set aside for a turn is found by this. */
export function buildAllotmentId({ lane, epoch }: Pick<Turn["claim"], "lane" | "epoch">): string {
  return `${lane}#${epoch}`;
}
