import type { BudgetKey } from "../config/shapes/budget-config.ts";
import type { BudgetLimit } from "./allotment.ts";

const WHOSE: readonly (readonly [end: string, subject: string, cure: string])[] = [
  ["PerSession", "this conversation has used", "/new begins a new one, or"],
  ["PerTree", "this conversation and its sub-agents have used", "/new begins a new one, or"],
  ["PerSenderDay", "you have used", "it starts again at midnight UTC, or"],
];

/** What was reached: `this conversation has used 1200 of its 1000 tokens`. */
export function formatReached({ key, limit, used }: BudgetLimit): string {
  const [, subject] = findWords(key);
  return `${subject} ${formatAmount(key, used)} of ${formatAmount(key, limit)} ${nameMeasure(key)}${key.endsWith("Day") ? " of today" : ""}`;
}

/**
 * What can be done about it, for the person and for whoever runs the gateway. `lineage`: the agents from the root of the tree
 * down to the session's own; of a tree's budgets those of all of them hold.
 */
export function formatBudgetCure({ key }: BudgetLimit, lineage: readonly string[]): string {
  const [, , cure] = findWords(key);
  const agents = key.endsWith("PerSession") ? lineage.slice(-1) : [...new Set(lineage)];
  return `${cure} the operator raises ${agents.map((id) => `agents.${id}.budgets.${key}`).join(" or ")}.`;
}

function findWords(key: BudgetKey): readonly [end: string, subject: string, cure: string] {
  return WHOSE.find(([end]) => key.endsWith(end)) ?? ["", "it has used", ""];
}

function nameMeasure(key: BudgetKey): string {
  return key.startsWith("costUsd") ? "that it may cost" : key.startsWith("turns") ? "turns" : "tokens";
}

function formatAmount(key: BudgetKey, amount: number): string {
  return key.startsWith("costUsd") ? `$${amount.toFixed(4)}` : String(amount);
}
