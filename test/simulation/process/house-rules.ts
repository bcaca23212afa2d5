import type { GatewayOptions } from "@banyan/core";

const SECONDS_PER_MINUTE = 60;
const ARCHIVE_AFTER_SECONDS = 20;
const ANNOUNCE_TIMEOUT_MS = 8_000;

/** So low that they are reached. */
export const LIMITS: Required<NonNullable<GatewayOptions["limits"]>> = {
  maxConcurrent: 2,
  maxTreeRuns: 6,
  answerMinutes: 1,
  runRetentionDays: 30,
  auditRetentionDays: 90,
};
/** So short that threads are left for quiet ones. */
export const THREAD_IDLE_HOURS: number = 40 / 3_600;
export const MOST_CHILDREN = 3;
export const MOST_DEPTH = 3;

const SUBAGENTS = {
  maxSpawnDepth: MOST_DEPTH,
  maxChildrenPerAgent: MOST_CHILDREN,
  allowAgents: ["main", "keeper", "scout", "stray"],
  announceTimeoutMs: ANNOUNCE_TIMEOUT_MS,
  archiveAfterMinutes: ARCHIVE_AFTER_SECONDS / SECONDS_PER_MINUTE,
};

/**
 * `keeper` may use less than `main`, so that a `main` below it may not use more; `scout` is also kept closer. Nobody may
 * spawn `stray`, which is not kept at all.
 */
export const AGENTS: GatewayOptions["agents"] = {
  main: { runtime: "simulated", workspace: "/grove", tools: { deny: [] }, subagents: SUBAGENTS },
  keeper: { runtime: "simulated", workspace: "/grove", tools: { deny: ["list_files"] }, subagents: SUBAGENTS },
  scout: {
    runtime: "simulated",
    workspace: "/grove",
    tools: { deny: ["read_file"] },
    sandbox: "strict",
    subagents: SUBAGENTS,
  },
  stray: { runtime: "simulated", workspace: "/grove", tools: { deny: [] }, sandbox: "off", subagents: SUBAGENTS },
};
