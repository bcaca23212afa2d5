import { commitPatiently } from "../ports/commit-step.ts";
import type { AttemptParts } from "./attempt-delivery.ts";
import type { QueuedDelivery } from "./queued-delivery.ts";

/**
 * A row that was born `sending` and never tried waits as others do: else a crash would leave it looking sent. Rejects
 * only when the store has closed or failed, or takes nothing while the gateway stops.
 */
export async function giveBackUnsent(row: QueuedDelivery, error: string, parts: AttemptParts): Promise<void> {
  const { store, ports, signal } = parts;
  const outcome = { state: "pending", error, retryInMs: 0, giveBackAttempt: true } as const;
  await commitPatiently(store, { step: "settle", id: row.id, attempt: row.attempts, outcome }, ports, signal);
  row.attempts -= 1;
  row.isSending = false;
}
