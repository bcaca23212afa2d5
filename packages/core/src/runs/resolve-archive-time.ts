import type { RunMode } from "@banyan/plugin-sdk";

export interface ArchiveTimeInput {
  readonly mode: RunMode;
  readonly createdAtMs: number;
  /** Absent or 0: it is not archived by itself. */
  readonly archiveAfterMs?: number | undefined;
}

/** When the archive timer of a new child is due; `undefined` for a session, which is never archived by itself. */
export function resolveArchiveAtMs({ mode, createdAtMs, archiveAfterMs }: ArchiveTimeInput): number | undefined {
  if (mode === "session" || archiveAfterMs === undefined || archiveAfterMs <= 0) return undefined;
  return createdAtMs + archiveAfterMs;
}
