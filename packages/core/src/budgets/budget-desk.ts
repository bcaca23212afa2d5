/**
 * What turns may use up. What has been used stands in rows, so a process that dies loses none of it; only what is set
 * aside for a turn at work is held here, and goes with the process, as the turn does.
 */
import type { StoreReads } from "@banyan/store";
import { BUDGET_SCOPES, type BudgetScope, type BudgetsConfig } from "../config/shapes/budget-config.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import { type AllotmentDecision, type BudgetLimit, type BudgetStanding, decideAllotment } from "./allotment.ts";
import { type Amounts, NO_AMOUNTS, readConversationAmounts } from "./amounts.ts";
import { Holdings } from "./holdings.ts";
import { type BudgetCircle, readRootKey, readSenderDayUsed, readSessionUsed, readTreeUsed } from "./read-used.ts";

/** Other turns end while the rows are read; after so many times what was read last counts. */
const MOST_READINGS = 4;

export interface TurnToAllot {
  /** Unique among turns at work. */
  readonly id: string;
  readonly record: Pick<SessionRecord, "key" | "entry">;
  readonly isRecovery: boolean;
  readonly budgets: BudgetsConfig | undefined;
}

export interface BudgetDesk {
  /** Asked before an agent is. What is granted stays set aside until `release`, which every turn calls. */
  allot(turn: TurnToAllot): Promise<AllotmentDecision>;
  /**
   * Called as a turn tells what it has used so far, all of it. Answers the budget that is used up by it, together with the
   * turns at work beside it; it is to be stopped then.
   */
  spend(id: string, spent: Amounts): BudgetLimit | undefined;
  /** Called once the turn's end is in its rows, or will never be. Repeatable. */
  release(id: string): void;
}

export interface BudgetDeskParts {
  readonly read: Pick<StoreReads, "session" | "runs" | "dayUsed">;
  now(): number;
}

export function createBudgetDesk({ read, now }: BudgetDeskParts): BudgetDesk {
  const holdings = new Holdings();
  /** Grows with each release: rows that were read before one may lack what that turn has used. */
  let releases = 0;
  const readUsed = ({ scope, id }: BudgetCircle) => {
    const subject = id.slice(scope.length + 1);
    if (scope === "Session") return readSessionUsed(subject, read);
    return scope === "Tree" ? readTreeUsed(subject, read) : readSenderDayUsed(subject, now(), read);
  };
  return {
    async allot({ id, record, budgets, isRecovery }) {
      if (budgets === undefined) return { kind: "granted", held: NO_AMOUNTS, allowances: [] };
      const circles = await findCircles(record, budgets, read);
      for (let readings = 1; ; readings += 1) {
        const before = releases;
        const used = await Promise.all(circles.map(readUsed));
        if (releases !== before && readings < MOST_READINGS) continue;
        const standings = circles.map((circle, at): BudgetStanding => {
          const { scope } = circle;
          const limits = listLimits(budgets, scope);
          return { scope, limits, used: used[at] ?? NO_AMOUNTS, held: holdings.sum(circle.id, id) };
        });
        const { reserveTokens = 0 } = budgets;
        const decision = decideAllotment(standings, { estimate: estimateTurn(record), isRecovery, reserveTokens });
        if (decision.kind === "granted") holdings.add(id, { circles: circles.map((circle) => circle.id), ...decision });
        return decision;
      }
    },
    spend: (id, spent) => holdings.spend(id, spent),
    release(id) {
      if (holdings.remove(id)) releases += 1;
    },
  };
}

/** Only what is limited is read. */
async function findCircles(
  record: TurnToAllot["record"],
  budgets: BudgetsConfig,
  read: BudgetDeskParts["read"],
): Promise<readonly BudgetCircle[]> {
  const scopes = BUDGET_SCOPES.filter((scope) => Object.values(listLimits(budgets, scope)).some(isSet));
  const circles: BudgetCircle[] = [];
  for (const scope of scopes) {
    const subject = await findSubject(scope, record, read);
    if (subject !== undefined) circles.push({ scope, id: `${scope}|${subject}` });
  }
  return circles;
}

/** Of a day: the name that the record's own use of it is counted under. `undefined` for groups: nobody's own. */
async function findSubject(scope: BudgetScope, record: TurnToAllot["record"], read: BudgetDeskParts["read"]) {
  if (scope === "SenderDay") return record.entry.userId;
  return scope === "Session" ? record.key : readRootKey(record, read);
}

function isSet(limit: number | undefined): boolean {
  return limit !== undefined;
}

function listLimits(budgets: BudgetsConfig, scope: BudgetScope): BudgetStanding["limits"] {
  return {
    tokens: budgets[`tokensPer${scope}`],
    turns: budgets[`turnsPer${scope}`],
    costUsd: budgets[`costUsdPer${scope}`],
  };
}

/** As the conversation's turns so far, on average; of its first one nothing is known. */
function estimateTurn({ entry }: TurnToAllot["record"]): Amounts {
  const { tokens, turns, costUsd } = readConversationAmounts(entry);
  if (turns === 0) return { ...NO_AMOUNTS, turns: 1 };
  return { tokens: Math.ceil(tokens / turns), turns: 1, costUsd: costUsd / turns };
}
