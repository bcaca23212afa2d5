import { findPassed } from "../budgets/allotment.ts";
import { readTurnAmounts } from "../budgets/amounts.ts";
import type { RunFigures } from "../sessions/update-after-run.ts";
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
  const { budgets, model = record.entry.model } = parts.getAgent(record);
  const isRecovery = claim.item.attempt > 1;
  const allotted = await parts.budgets.allot({ id: buildAllotmentId(turn.claim), record, isRecovery, budgets });
  if (allotted.kind === "refused") return composeOverBudget(turn, allotted.by, stamps);
  const { allowances } = allotted;
  const end = await runAgent(live, parts, (usage) =>
    findPassed(allowances, readTurnAmounts(parts.prices.priceNow(usage, model))),
  );
  calls.end();
  const { count, sayings } = calls;
  const usage = end.usage && (await parts.prices.price(end.usage, end.model ?? model));
  const priced = usage === undefined ? end : { ...end, usage };
  return { ...composeAgentTurn(turn, priced, count, stamps), sayings };
}

/** What is set aside for a turn is found by this. */
export function buildAllotmentId({ lane, epoch }: Pick<Turn["claim"], "lane" | "epoch">): string {
  return `${lane}#${epoch}`;
}

/** What a turn that was stopped has used: it counts as any other, in the record of whoever ends it. */
export async function buildStoppedFigures({ turn, run, calls }: LiveTurn, parts: TurnParts): Promise<RunFigures> {
  const { model = turn.record.entry.model } = parts.getAgent(turn.record);
  const usage = run.usageSoFar && (await parts.prices.price(run.usageSoFar, model));
  return {
    now: parts.ports.clock.now(),
    policy: "preserve-activity",
    messages: 0,
    toolCalls: calls.count,
    isFailed: false,
    turns: 1,
    ...(usage === undefined ? {} : { usage }),
  };
}
