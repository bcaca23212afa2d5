/**
 * What is due for a run. `timeout`: it may take no longer. `announce`: the requester has not answered, so the host does.
 * `archive`: the child's session is put away. `attachments`: the files it was given are removed.
 */
export type RunTimerKind = "timeout" | "announce" | "archive" | "attachments";

export function buildRunTimerId(kind: RunTimerKind, runId: string): string {
  return `${kind}|${runId}`;
}
