import type { SessionEntry, Usage } from "@banyan/plugin-sdk";
import type { BudgetMeasure } from "../config/shapes/budget-config.ts";

/** So much of each; what is unknown counts as nothing here, and nowhere else. Costs in US dollars. */
export type Amounts = Readonly<Record<BudgetMeasure, number>>;

export const NO_AMOUNTS: Amounts = { tokens: 0, turns: 0, costUsd: 0 };

export function addAmounts(one: Amounts, other: Amounts): Amounts {
  return {
    tokens: one.tokens + other.tokens,
    turns: one.turns + other.turns,
    costUsd: one.costUsd + other.costUsd,
  };
}

/** What the turns of a conversation that have ended have used. */
export function readConversationAmounts({
  totalTokens = 0,
  turnCount = 0,
  estimatedCostUsd = 0,
}: SessionEntry): Amounts {
  return { tokens: totalTokens, turns: turnCount, costUsd: estimatedCostUsd };
}

/** What a turn has used so far, its own start included. */
export function readTurnAmounts({ inputTokens = 0, outputTokens = 0, costUsd = 0 }: Usage): Amounts {
  return { tokens: inputTokens + outputTokens, turns: 1, costUsd };
}
