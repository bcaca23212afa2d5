export type ArchiveDecision = { readonly kind: "archive" } | { readonly kind: "rearm"; readonly dueAtMs: number };

export interface DueArchive {
  readonly nowMs: number;
  readonly archiveAfterMs: number;
  /** Of the run; its timer was first due the span after it. */
  readonly createdAtMs: number;
  /** Absent: the run is unfinished. */
  readonly endedAtMs?: number | undefined;
  /** Whether the chat was told, or need not be. */
  readonly isDelivered: boolean;
}

/**
 * What becomes of a child whose archive timer fired. It is put away at its creation and the span. Where its run was
 * unfinished or its result undelivered by then it stays, and the timer is armed again: for the end of the run and the same
 * span, or where that has passed or is not known yet, for the same span from now. Which of the two firings this is follows
 * from the run's own times, so no row has to say it.
 */
export function decideArchive(due: DueArchive): ArchiveDecision {
  const { nowMs, archiveAfterMs, createdAtMs, endedAtMs, isDelivered } = due;
  const dueAtMs = (endedAtMs ?? nowMs) + archiveAfterMs;
  if (endedAtMs !== undefined && isDelivered && (endedAtMs <= createdAtMs + archiveAfterMs || dueAtMs <= nowMs))
    return { kind: "archive" };
  return { kind: "rearm", dueAtMs: dueAtMs > nowMs ? dueAtMs : nowMs + archiveAfterMs };
}
