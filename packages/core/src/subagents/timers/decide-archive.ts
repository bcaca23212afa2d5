export type ArchiveDecision = { readonly kind: "archive" } | { readonly kind: "rearm"; readonly dueAtMs: number };

export interface DueArchive {
  readonly nowMs: number;
  readonly archiveAfterMs: number;
  /** Absent: the run is unfinished. */
  readonly endedAtMs?: number | undefined;
  /** Whether the chat was told, or need not be. */
  readonly isDelivered: boolean;
}

/**
 * What becomes of a child whose archive timer fired. While its run is unfinished or its result undelivered it stays, and
 * the timer is armed again: for the end of the run and the same span, or where that has passed, for the same span from now.
 */
export function decideArchive({ nowMs, archiveAfterMs, endedAtMs, isDelivered }: DueArchive): ArchiveDecision {
  const dueAtMs = (endedAtMs ?? nowMs) + archiveAfterMs;
  if (endedAtMs !== undefined && isDelivered && dueAtMs <= nowMs) return { kind: "archive" };
  return { kind: "rearm", dueAtMs: dueAtMs > nowMs ? dueAtMs : nowMs + archiveAfterMs };
}
