import type { OutboundMessage } from "@banyan/plugin-sdk";
import { isAddress } from "@banyan/plugin-sdk";
import type { DeliveryBody, DeliveryIdentity, DeliveryRow, NewDelivery } from "@banyan/plugin-sdk/store";

/** Begins a message that may stand in the chat already. It fits into the units that the splitter keeps free. */
const REPEAT_MARK = "(may be repeated)\n";

/** As long as the longest pause between two attempts. */
const LONGEST_DOUBTFUL_WAIT_MS = 5 * 60_000;

/** A delivery as the outbox holds it in memory. */
export interface QueuedDelivery extends DeliveryIdentity {
  /** Attempts begun so far. */
  attempts: number;
  /** The row is already `sending` in this process's name. */
  isSending: boolean;
  maybeRepeated: boolean;
}

export function queueNew(row: NewDelivery): QueuedDelivery {
  const isSending = row.sendingOwner !== undefined;
  return { ...row, attempts: isSending ? 1 : 0, isSending, maybeRepeated: false };
}

export function queueStored(row: DeliveryRow): QueuedDelivery {
  return { ...row, isSending: false };
}

/**
 * How long a stored row still waits. A clock that stands before the row's own beginning was set back, and by how much
 * nobody knows: then the row waits a little, not for as long as the clock lags.
 */
export function findWaitMs(row: Pick<DeliveryRow, "createdAtMs" | "nextAtMs">, nowMs: number): number {
  const waitMs = row.nextAtMs - nowMs;
  return nowMs < row.createdAtMs ? Math.min(waitMs, LONGEST_DOUBTFUL_WAIT_MS) : waitMs;
}

/** The row of the part before this one; `undefined` for the first. */
export function earlierPartId({ deliveryId, part }: Pick<QueuedDelivery, "deliveryId" | "part">): string | undefined {
  return part === 0 ? undefined : `${deliveryId}.${part - 1}`;
}

/** The message of the attempt that runs now. */
export function buildOutboundMessage(row: QueuedDelivery): OutboundMessage {
  const body: DeliveryBody = JSON.parse(row.body);
  if (!isAddress(row.address))
    throw new TypeError(`The delivery ${row.id} was read: its address ${row.address} is none`);
  const isMarked = row.maybeRepeated && row.policy !== "effectively-once";
  return {
    deliveryId: row.deliveryId,
    part: row.part,
    of: row.of,
    address: row.address,
    kind: row.kind,
    text: isMarked ? REPEAT_MARK + body.text : body.text,
    attempt: row.attempts,
    ...(body.replyTo === undefined ? {} : { replyTo: body.replyTo }),
  };
}
