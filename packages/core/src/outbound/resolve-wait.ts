import type { DeliveryRow } from "@banyan/store";
import { STUCK_RETRY_MS } from "./decide-settle.ts";

/**
 * How long a row of the store still waits. Its times are those of the wall clock: one that was set back since must not
 * keep it for a day. What was written in what is now the future waits no longer than its own times are apart; a time before
 * that was set by the clock that shows now.
 */
export function resolveWaitMs(row: Pick<DeliveryRow, "state" | "nextAtMs" | "createdAtMs">, nowMs: number): number {
  const waitMs = Math.max(0, row.nextAtMs - nowMs);
  if (row.state === "stuck") return Math.min(waitMs, STUCK_RETRY_MS);
  const isWrittenAhead = row.createdAtMs > nowMs && row.nextAtMs >= row.createdAtMs;
  return isWrittenAhead ? Math.min(waitMs, row.nextAtMs - row.createdAtMs) : waitMs;
}
