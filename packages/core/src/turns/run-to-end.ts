import type { Usage } from "@banyan/plugin-sdk";
import { countStarts } from "@banyan/store";
import { readTurnAmounts } from "../budgets/amounts.ts";
import { addUsage } from "../sessions/usage-sum.ts";
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
  const unasked = composeUnasked(live, parts, stamps) ?? (await askAgent(live, parts, stamps));
  const { figures } = unasked;
  if (figures.usage !== undefined || live.earlierUsage === undefined) return unasked;
  // Nobody was asked this time, and earlier attempts have used something.
  const usage = await priceUsage(live, undefined, undefined, parts);
  return { ...unasked, figures: { ...figures, ...(usage === undefined ? {} : { usage }) } };
}

function composeUnasked({ turn, unfinished }: LiveTurn, parts: TurnParts, stamps: Stamps): TurnEnd | undefined {
  const { item } = turn.claim;
  if (item.wake === "append") return composeAppend(turn, stamps);
  if (item.attempt > MOST_ATTEMPTS) return composeQuarantine(turn, stamps);
  if (unfinished !== undefined) return composeInterruption(turn, unfinished.name, stamps);
  if (turn.overflow !== "old") return undefined;
  return composeLeftOut(turn, parts.getQueueRules(turn.record, turn.address).cap, stamps);
}

async function askAgent(live: LiveTurn, parts: TurnParts, stamps: Stamps): Promise<TurnEnd> {
  const { turn, agent, calls, earlierUsage = {} } = live;
  const { claim, record } = turn;
  const { budgets, model = record.entry.model } = agent;
  const isRecovery = countStarts(claim.item) > 1;
  const id = buildAllotmentId(claim);
  const allotted = await parts.budgets.allot({ id, record, isRecovery, budgets });
  if (allotted.kind === "refused") return composeOverBudget(turn, allotted.by, stamps);
  const find = (usage: Usage) => {
    const whole = parts.prices.priceNow(addUsage(earlierUsage, usage), model);
    return parts.budgets.spend(id, readTurnAmounts(whole));
  };
  const passed = find({});
  if (passed !== undefined) return composeOverBudget(turn, passed, stamps);
  const end = await runAgent(live, parts, find);
  calls.end();
  const { count, sayings } = calls;
  const usage = await priceUsage(live, end.usage, end.model, parts);
  const priced = usage === undefined ? end : { ...end, usage };
  return { ...composeAgentTurn(turn, priced, count, stamps), sayings };
}

/** Over all attempts, with what it cost where that can be known. */
export async function priceUsage(
  { turn: { record }, agent, earlierUsage = {} }: LiveTurn,
  own: Usage | undefined,
  told: string | undefined,
  parts: TurnParts,
): Promise<Usage | undefined> {
  const usage = addUsage(earlierUsage, own ?? {});
  const model = told ?? agent.model ?? record.entry.model;
  return Object.keys(usage).length === 0 ? own : parts.prices.price(usage, model);
}

/** What is set aside for a turn is found by this. */
export function buildAllotmentId({ lane, epoch }: Pick<Turn["claim"], "lane" | "epoch">): string {
  return `${lane}#${epoch}`;
}
