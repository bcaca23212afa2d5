import type { SessionEntry, Usage } from "@banyan/plugin-sdk";
import { type MergePolicy, mergeSessionEntryWithPolicy } from "./merge-session-entry.ts";

export interface RunFigures {
  readonly now: number;
  readonly policy: MergePolicy;
  /** Entries of kind `message` that the run added. */
  readonly messages: number;
  readonly toolCalls: number;
  readonly isFailed: boolean;
  readonly usage?: Usage;
  readonly model?: string;
}

/** The record behind an agent run: usage added, times moved, counts grown. What is unknown stays absent. */
export function updateEntryAfterRun(entry: SessionEntry, run: RunFigures): SessionEntry {
  const usage = run.usage ?? {};
  return mergeSessionEntryWithPolicy(
    entry,
    {
      messageCount: (entry.messageCount ?? 0) + run.messages,
      toolCallCount: addKnown(entry.toolCallCount, run.toolCalls || undefined),
      errorCount: addKnown(entry.errorCount, run.isFailed ? 1 : undefined),
      inputTokens: addKnown(entry.inputTokens, usage.inputTokens),
      outputTokens: addKnown(entry.outputTokens, usage.outputTokens),
      totalTokens: addKnown(entry.totalTokens, addKnown(usage.inputTokens, usage.outputTokens)),
      cacheRead: addKnown(entry.cacheRead, usage.cacheRead),
      cacheWrite: addKnown(entry.cacheWrite, usage.cacheWrite),
      estimatedCostUsd: addKnown(entry.estimatedCostUsd, usage.costUsd),
      model: run.model,
      acp: entry.acp && { ...entry.acp, state: run.isFailed ? "error" : "idle", lastActivityAt: run.now },
    },
    { policy: run.policy, now: run.now },
  );
}

function addKnown(sum: number | undefined, part: number | undefined): number | undefined {
  return part === undefined ? sum : (sum ?? 0) + part;
}
