import type { RunMode } from "@banyan/plugin-sdk";

export type SpawnCleanup = "delete" | "keep";

export interface SpawnCleanupInput {
  readonly mode: RunMode;
  readonly cleanup?: SpawnCleanup | undefined;
}

/** A session is always kept, for people write in it; a run as asked, and without a word it is kept until its time. */
export function resolveSpawnCleanup({ mode, cleanup }: SpawnCleanupInput): SpawnCleanup {
  return mode === "session" ? "keep" : (cleanup ?? "keep");
}
