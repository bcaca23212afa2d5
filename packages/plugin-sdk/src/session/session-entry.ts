import type { AcpRecord } from "./acp-record.ts";
import type { CutTurns } from "./transcript-entry.ts";

/**
 * The record of a session, one per key. Unknown fields are kept when it is read and written.
 * Times in milliseconds since the epoch. A missing number is unknown, never zero.
 */
export interface SessionEntry {
  // identity
  readonly sessionId: string;
  readonly label?: string;
  /** The person's name, or `channel:peer`; none in groups. */
  readonly userId?: string;
  readonly updatedAt: number;
  /** File name of the readable transcript. */
  readonly sessionFile: string;
  // tree
  readonly spawnedBy?: string;
  readonly parentSessionKey?: string;
  readonly spawnedWorkspaceDir?: string;
  readonly spawnDepth?: number;
  readonly forkedFromParent?: boolean;
  readonly subagentRole?: "main" | "orchestrator" | "leaf";
  readonly subagentControlScope?: "children" | "none";
  readonly subagentRecovery?: unknown;
  /** Agents of the sessions above it, the top one first: their tool policies hold here as well. */
  readonly spawnLineage?: readonly string[];
  /** What a sub-agent is told of itself, behind its agent's own instructions. */
  readonly subagentPrompt?: string;
  // time
  readonly sessionStartedAt?: number;
  /** Moved by people and channels only. */
  readonly lastInteractionAt?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly runtimeMs?: number;
  readonly expiresAt?: number;
  readonly closedAt?: number;
  // model
  readonly model?: string;
  readonly modelOverride?: string;
  readonly providerOverride?: string;
  readonly authProfileOverride?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly estimatedCostUsd?: number;
  /** Turns of the conversation in which the agent was asked. */
  readonly turnCount?: number;
  readonly dayUsage?: DayUsage;
  // state
  readonly status?: "running" | "done" | "failed" | "killed" | "timeout";
  readonly thinkingLevel?: string;
  readonly fastMode?: boolean;
  readonly verboseLevel?: string;
  readonly agentRuntimeOverride?: string;
  readonly queueOverride?: unknown;
  readonly messageCount?: number;
  readonly toolCallCount?: number;
  readonly errorCount?: number;
  readonly currentCheckpointId?: string;
  /** The state of turns that were cut off is saved; the next one that asks the agent starts from it, and it goes. */
  readonly interruption?: SessionInterruption;
  // place
  readonly channel?: string;
  readonly groupId?: string;
  readonly groupChannel?: string;
  readonly space?: string;
  readonly origin?: SessionOrigin;
  /** Where answers that no message asked for would go: an address. */
  readonly deliveryContext?: string;
  /** The thread that was opened for a sub-agent, also when it leads to it no more: an address. */
  readonly ownThread?: string;
  // context
  readonly context?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly skillsSnapshot?: unknown;
  readonly systemPromptReport?: unknown;
  /** With an agent of the Agent Client Protocol: where its side of the session goes on. */
  readonly acp?: AcpRecord;
  readonly pluginExtensions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly pluginNextTurnInjections?: Readonly<Record<string, readonly NextTurnInjection[]>>;
  // compaction
  readonly compactionCount?: number;
  readonly compactionCheckpoints?: readonly unknown[];
  readonly memoryFlushAt?: number;
  readonly memoryFlushCompactionCount?: number;
}

/** What the turn behind turns that were cut off starts from, and how it is run. */
export interface SessionInterruption extends CutTurns {
  /** Instead of the session's own, for that turn. */
  readonly model?: string;
  readonly thinkingLevel?: string;
}

/** What one day of a session has used, over its conversations; the next day takes its place. */
export interface DayUsage {
  /** In UTC, as `2026-11-21`. */
  readonly day: string;
  readonly turns: number;
  readonly tokens?: number;
  readonly costUsd?: number;
}

/** The place a session was opened from. */
export interface SessionOrigin {
  readonly label?: string;
  readonly provider?: string;
  readonly surface?: string;
  readonly chatType?: "dm" | "group" | "channel";
  readonly from?: string;
  readonly to?: string;
  readonly nativeChannelId?: string;
  readonly nativeDirectUserId?: string;
  readonly accountId?: string;
  readonly threadId?: string;
}

/** Text of a plugin for one turn: used once by the next turn, dropped when older than `ttlMs`. */
export interface NextTurnInjection {
  readonly id: string;
  readonly text: string;
  readonly placement: "prepend_context" | "append_context";
  readonly ttlMs?: number;
  readonly createdAt: number;
}
