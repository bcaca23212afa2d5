import type { DayUsage, SessionEntry, SessionInterruption, Usage } from "@banyan/plugin-sdk";
import { type MergePolicy, mergeSessionEntryWithPolicy } from "./merge-session-entry.ts";

export interface RunFigures {
  readonly now: number;
  readonly policy: MergePolicy;
  /** Entries of kind `message` that the run added. */
  readonly messages: number;
  readonly toolCalls: number;
  readonly isFailed: boolean;
  /** What the agent said is wrong, without secrets. */
  readonly error?: string;
  /** Turns in which the agent was asked. Absent: none. */
  readonly turns?: number;
  readonly usage?: Usage;
  readonly model?: string;
  /** The turn was cut off, and the next one starts from it. Who answers a person behind it settles that. */
  readonly interruption?: SessionInterruption;
  /** It answered no message: what was cut off before it is told to whoever does as well. */
  readonly isBetween?: boolean;
}

/** The record behind an agent run: usage added, times moved, counts grown. What is unknown stays absent. */
export function updateEntryAfterRun(entry: SessionEntry, run: RunFigures): SessionEntry {
  const usage = run.usage ?? {};
  const tokens = addKnown(usage.inputTokens, usage.outputTokens);
  return mergeSessionEntryWithPolicy(
    entry,
    {
      messageCount: (entry.messageCount ?? 0) + run.messages,
      toolCallCount: addKnown(entry.toolCallCount, run.toolCalls || undefined),
      errorCount: addKnown(entry.errorCount, run.isFailed ? 1 : undefined),
      inputTokens: addKnown(entry.inputTokens, usage.inputTokens),
      outputTokens: addKnown(entry.outputTokens, usage.outputTokens),
      totalTokens: addKnown(entry.totalTokens, tokens),
      cacheRead: addKnown(entry.cacheRead, usage.cacheRead),
      cacheWrite: addKnown(entry.cacheWrite, usage.cacheWrite),
      estimatedCostUsd: addKnown(entry.estimatedCostUsd, usage.costUsd),
      turnCount: addKnown(entry.turnCount, run.turns),
      dayUsage: addToDay(entry.dayUsage, run, tokens),
      model: run.model,
      interruption: run.interruption ?? settleInterruption(entry, run),
      acp: updateAcp(entry.acp, run),
    },
    { policy: run.policy, now: run.now },
  );
}

/**
 * A turn that failed has told nobody what was cut off before it, so that is kept for the next one: asked anew, its agent could
 * else do again what is done. How it is run was meant for the one turn. `undefined`: it stays as it is; `null`: it is over.
 */
function settleInterruption(
  { interruption }: Pick<SessionEntry, "interruption">,
  { turns, isFailed, isBetween }: RunFigures,
): SessionInterruption | null | undefined {
  if (turns === undefined || isBetween) return undefined;
  if (interruption === undefined || !isFailed) return null;
  const { model: _, thinkingLevel: __, ...cut } = interruption;
  return cut;
}

/** What an agent keeps itself cannot be set back: it begins anew, with what stands in the transcript. */
function updateAcp(acp: SessionEntry["acp"], run: RunFigures): SessionEntry["acp"] | null {
  if (acp !== undefined && run.interruption?.isSetBack) return null;
  if (acp === undefined) return undefined;
  const { lastError: _, ...rest } = acp;
  const lastError = run.error === undefined ? {} : { lastError: run.error };
  // In the step that counts the cost: a total that is kept is counted, and one that is not is in the next.
  const spentUsd = acp.identity.state === "resolved" ? (run.usage?.spentUsd ?? acp.spentUsd) : acp.spentUsd;
  const spent = spentUsd === undefined ? {} : { spentUsd };
  return { ...rest, ...spent, ...lastError, state: run.isFailed ? "error" : "idle", lastActivityAt: run.now };
}

/** The day that a budget of a day counts in. */
export function formatUtcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function addToDay(kept: DayUsage | undefined, run: RunFigures, tokens: number | undefined): DayUsage | undefined {
  if (run.turns === undefined) return kept;
  const day = formatUtcDay(run.now);
  const before = kept?.day === day ? kept : undefined;
  const sumTokens = addKnown(before?.tokens, tokens);
  const costUsd = addKnown(before?.costUsd, run.usage?.costUsd);
  return {
    day,
    turns: (before?.turns ?? 0) + run.turns,
    ...(sumTokens === undefined ? {} : { tokens: sumTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

function addKnown(sum: number | undefined, part: number | undefined): number | undefined {
  return part === undefined ? sum : (sum ?? 0) + part;
}
