import {
  BUDGET_MEASURES,
  type BudgetKey,
  type BudgetMeasure,
  type BudgetScope,
} from "../config/shapes/budget-config.ts";
import type { Amounts } from "./amounts.ts";

/** What is counted together, as it stands: by rows, and by the turns that are at work. */
export interface BudgetStanding {
  readonly scope: BudgetScope;
  /** What is limited. */
  readonly limits: Partial<Readonly<Record<BudgetMeasure, number | undefined>>>;
  /** By turns that have ended, whichever process ran them. */
  readonly used: Amounts;
  /** Set aside for turns at work here. */
  readonly held: Amounts;
}

/** How far a turn may go before it is stopped. */
export interface Allowance {
  readonly key: BudgetKey;
  readonly measure: BudgetMeasure;
  readonly scope: BudgetScope;
  readonly limit: number;
  /** More than zero when it is granted. */
  readonly room: number;
}

/** What stands in the way of a turn, or has stopped it. */
export interface BudgetLimit {
  readonly key: BudgetKey;
  readonly limit: number;
  /** What was used when it was decided. */
  readonly used: number;
}

export type AllotmentDecision =
  | { readonly kind: "granted"; readonly held: Amounts; readonly allowances: readonly Allowance[] }
  | { readonly kind: "refused"; readonly by: BudgetLimit };

export interface TurnNeed {
  /** What such a turn has used as a rule; it is granted with less, and stopped when it has used that up. */
  readonly estimate: Amounts;
  /** It was cut off and runs again, so it may use the reserve. */
  readonly isRecovery: boolean;
  readonly reserveTokens: number;
}

/** Whether a turn may begin, and what is set aside for it: at most what is left of each budget, never less than nothing. */
export function decideAllotment(standings: readonly BudgetStanding[], need: TurnNeed): AllotmentDecision {
  const allowances: Allowance[] = [];
  const most = { ...need.estimate };
  for (const { scope, limits, used, held } of standings) {
    for (const measure of BUDGET_MEASURES) {
      const limit = limits[measure];
      if (limit === undefined) continue;
      const key = `${measure}Per${scope}` as const;
      const reserve = measure === "tokens" && !need.isRecovery ? need.reserveTokens : 0;
      const left = limit - used[measure] - held[measure];
      if (left - reserve <= 0) return { kind: "refused", by: { key, limit, used: used[measure] } };
      // Once it runs it may use the reserve as well: better than half an answer.
      allowances.push({ key, measure, scope, limit, room: left });
      most[measure] = Math.max(0, Math.min(most[measure], left - reserve));
    }
  }
  return { kind: "granted", held: most, allowances };
}

/** The first budget that a turn has gone beyond. Its own start was allowed, so turns do not stop it. */
export function findPassed(allowances: readonly Allowance[], used: Amounts): BudgetLimit | undefined {
  const passed = allowances.find(({ measure, room }) => used[measure] > room);
  if (passed === undefined) return undefined;
  const { key, measure, limit, room } = passed;
  return { key, limit, used: limit - room + used[measure] };
}
