import { z } from "zod";
import type { ConfigProblem } from "../problems/config-problem.ts";

/** What a budget may cover; in the configuration's names the second word says what is counted together. */
export const BUDGET_SCOPES = ["Session", "Tree", "SenderDay"] as const;
export const BUDGET_MEASURES = ["tokens", "turns", "costUsd"] as const;

/** What covers more than one session. */
const INHERITED_SCOPES = ["Tree", "SenderDay"] as const satisfies readonly BudgetScope[];

export type BudgetScope = (typeof BUDGET_SCOPES)[number];
export type BudgetMeasure = (typeof BUDGET_MEASURES)[number];
/** A key of the configuration, such as `tokensPerSession`. */
export type BudgetKey = `${BudgetMeasure}Per${BudgetScope}`;

/** What an agent may use up. What is absent is not limited. */
export interface BudgetsConfig extends Partial<Readonly<Record<BudgetKey, number | undefined>>> {
  /** Of each budget of tokens: kept for turns that were cut off and run again. */
  readonly reserveTokens?: number | undefined;
  /** Tool calls of one turn at work at once. */
  readonly maxConcurrentTools?: number | undefined;
  /** Of a tool call that says no time of its own. */
  readonly toolTimeoutSeconds?: number | undefined;
  /** Of every tool call, whatever time the tool asks for. */
  readonly maxToolTimeoutSeconds?: number | undefined;
}

/** More is no limit any more. */
const MOST_TOKENS = 1_000_000_000_000;
const MOST_TURNS = 1_000_000;
const MOST_COST_USD = 1_000_000;
const MOST_TOOLS = 1_000;
/** A tool that works for a day holds up its conversation for a day. */
const LONGEST_TOOL_SECONDS = 24 * 3_600;

const tokens = z.int().min(1).max(MOST_TOKENS).optional();
const turns = z.int().min(1).max(MOST_TURNS).optional();
const costUsd = z.number().positive().max(MOST_COST_USD).optional();
const seconds = z.number().min(1).max(LONGEST_TOOL_SECONDS).optional();

/** Without defaults: an agent's own value stands over the one of all agents. */
export const budgetsSchema: z.ZodType<BudgetsConfig, BudgetsConfig> = z.strictObject({
  tokensPerSession: tokens.describe("Tokens that one conversation may use."),
  turnsPerSession: turns.describe("Turns that one conversation may use."),
  costUsdPerSession: costUsd.describe(
    "Cost in US dollars that one conversation may use. Turns of unknown cost do not count.",
  ),
  tokensPerTree: tokens.describe("Tokens that one conversation and its sub-agents may use together."),
  turnsPerTree: turns.describe("Turns that one conversation and its sub-agents may use together."),
  costUsdPerTree: costUsd.describe(
    "Cost in US dollars that one conversation and its sub-agents may use together. Turns of unknown cost do not count.",
  ),
  tokensPerSenderDay: tokens.describe("Tokens that one person's direct chats may use on one UTC day."),
  turnsPerSenderDay: turns.describe("Turns that one person's direct chats may use on one UTC day."),
  costUsdPerSenderDay: costUsd.describe(
    "Cost in US dollars that one person's direct chats may use on one UTC day. Turns of unknown cost do not count.",
  ),
  reserveTokens: z
    .int()
    .min(0)
    .max(MOST_TOKENS)
    .optional()
    .describe("Part of each budget of tokens that is kept for turns that run again after a crash. Default: `0`."),
  maxConcurrentTools: z
    .int()
    .min(1)
    .max(MOST_TOOLS)
    .optional()
    .describe("Tool calls of one turn that run at the same time."),
  toolTimeoutSeconds: seconds.describe("Time limit of a tool call, if the tool sets none."),
  maxToolTimeoutSeconds: seconds.describe("Longest time limit of a tool call, whatever the tool asks for."),
});

interface Budgeted {
  readonly budgets?: BudgetsConfig | undefined;
}

/** An agent's own values before those of all agents. */
export function buildBudgets(agent: Budgeted, defaults: Budgeted): BudgetsConfig | undefined {
  const entries = [...Object.entries(defaults.budgets ?? {}), ...Object.entries(agent.budgets ?? {})];
  const set = entries.filter(([, value]) => value !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/**
 * What a sub-agent may use up: its own budgets, and of those that cover its tree or a person's day the narrowest of its own
 * and of all agents above it. Otherwise a spawn of an agent without budgets would lead out of them.
 */
export function narrowBudgets(
  own: BudgetsConfig | undefined,
  above: readonly (BudgetsConfig | undefined)[],
): BudgetsConfig | undefined {
  const set = above.filter((budgets) => budgets !== undefined);
  if (set.length === 0) return own;
  const inherited = BUDGET_MEASURES.flatMap((measure) =>
    INHERITED_SCOPES.flatMap((scope) => {
      const key = `${measure}Per${scope}` as const;
      const limits = [own, ...set].flatMap((budgets) => budgets?.[key] ?? []);
      return limits.length === 0 ? [] : [[key, Math.min(...limits)] as const];
    }),
  );
  const narrowed = { ...own, ...Object.fromEntries(inherited) };
  const reserve = own?.reserveTokens ?? set.at(-1)?.reserveTokens ?? 0;
  // As it is refused in a configuration: a reserve of all there is lets no turn begin.
  const least = Math.min(...BUDGET_SCOPES.map((scope) => narrowed[`tokensPer${scope}`] ?? Number.POSITIVE_INFINITY));
  return { ...narrowed, ...(reserve === 0 ? {} : { reserveTokens: Math.min(reserve, least - 1) }) };
}

/** What can never hold together, as it is written for one agent over the defaults. */
export function checkBudgets(id: string, budgets: BudgetsConfig | undefined): readonly ConfigProblem[] {
  const { reserveTokens = 0, toolTimeoutSeconds, maxToolTimeoutSeconds, ...limits } = budgets ?? {};
  const reserved = Object.entries(limits).filter(
    ([key, limit]) => key.startsWith("tokensPer") && limit !== undefined && limit <= reserveTokens,
  );
  const isTooLong = (toolTimeoutSeconds ?? 0) > (maxToolTimeoutSeconds ?? Number.POSITIVE_INFINITY);
  return [
    ...reserved.map(([key, limit]) => ({
      path: ["agents", id, "budgets", "reserveTokens"],
      wrong: `no turn could begin: all of ${key} (${limit}) would be reserved for turns that are cut off`,
      received: String(reserveTokens),
      cure: `set it below ${limit}`,
    })),
    ...(isTooLong
      ? [
          {
            path: ["agents", id, "budgets", "toolTimeoutSeconds"],
            wrong: `longer than maxToolTimeoutSeconds (${maxToolTimeoutSeconds})`,
            received: String(toolTimeoutSeconds),
            cure: "lower it, or raise maxToolTimeoutSeconds",
          },
        ]
      : []),
  ];
}
