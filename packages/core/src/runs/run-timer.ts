import type { NewTimer, RunRow } from "@banyan/store";
import { resolveArchiveAtMs } from "./resolve-archive-time.ts";
import type { RunBody } from "./run-body.ts";

/**
 * What is due for a run. `timeout`: it may take no longer. `announce`: the requester has not answered, so the host does.
 * `archive`: the child's session is put away. `attachments`: the files it was given are removed. `thread-withdrawal`:
 * what stands open on the platform for a spawn that was cut off is taken back.
 */
export type RunTimerKind = "timeout" | "announce" | "archive" | "attachments" | "thread-withdrawal";

export function buildRunTimerId(kind: RunTimerKind, runId: string): string {
  return `${kind}|${runId}`;
}

export function buildRunTimer(kind: RunTimerKind, runId: string, dueInMs: number): NewTimer {
  return { id: buildRunTimerId(kind, runId), kind, subject: runId, dueInMs };
}

/** The message that shows how runs fare is to say that they have ended. */
export const STATUS_TIMER = "status";

/** One for all runs of a message, armed anew with each end: the last one speaks for all, whatever clocks say. */
export function buildStatusTimer(anchor: string, runId: string, dueInMs: number): NewTimer {
  return { id: `${STATUS_TIMER}|${anchor}`, kind: STATUS_TIMER, subject: runId, dueInMs };
}

/** What is due for a run from its acceptance on; it was created with its reservation. */
export function listAcceptTimers(
  { runId, createdAtMs }: Pick<RunRow, "runId" | "createdAtMs">,
  { timeoutMs, mode, archiveAfterMs }: Pick<RunBody, "timeoutMs" | "mode" | "archiveAfterMs">,
  now: number,
): readonly NewTimer[] {
  // A clock that was set between the two must not make the span longer.
  const archiveAtMs = resolveArchiveAtMs({ mode, createdAtMs: Math.min(createdAtMs, now), archiveAfterMs });
  return [
    ...(timeoutMs === undefined ? [] : [buildRunTimer("timeout", runId, timeoutMs)]),
    ...(archiveAtMs === undefined ? [] : [buildRunTimer("archive", runId, Math.max(0, archiveAtMs - now))]),
  ];
}

/** In how long the first of them is due; of none, never. */
export function findSoonestMs(timers: readonly NewTimer[]): number {
  return Math.min(...timers.map(({ dueInMs }) => dueInMs));
}

/** What takes back all that may stand open for a reservation whose own process cannot. */
export function listUndoTimers(
  { runId }: Pick<RunRow, "runId">,
  { bindingId, attachments }: Pick<RunBody, "bindingId" | "attachments">,
  dueInMs: number,
): readonly NewTimer[] {
  return [
    ...(bindingId === undefined ? [] : [buildRunTimer("thread-withdrawal", runId, dueInMs)]),
    ...(attachments.length === 0 ? [] : [buildRunTimer("attachments", runId, dueInMs)]),
  ];
}
