import { type Announcement, ChannelError, type DeliveryReceipt, type OutboundMessage } from "@banyan/plugin-sdk";
import type { SettleOutcome, Store } from "@banyan/plugin-sdk/store";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Deadlines } from "../ports/deadlines.ts";
import type { Ports } from "../ports/ports.ts";
import type { AccountHold } from "./account-hold.ts";
import {
  decideHeld,
  decideSettle,
  decideUnannounced,
  decideUnreadEarlierPart,
  decideWithoutEarlierPart,
  type SettleDecision,
} from "./decide-settle.ts";
import type { OutgoingFiles } from "./outgoing-files.ts";
import { buildOutboundMessage, earlierPartId, type QueuedDelivery } from "./queued-delivery.ts";
import { readAnnouncement } from "./read-announcement.ts";

/** Sent again it would most likely stand there twice, each time anew. */
const NO_RECEIPT =
  "A message was sent: the plugin gave no receipt, so what became of it is not known; update the plugin, or tell its author";

export type Send = (message: OutboundMessage) => Promise<DeliveryReceipt>;

/** The hook `announce`: the receipt of the tap that delivered it; `undefined` where no tap took it. */
export type Announce = (announcement: Announcement) => Promise<DeliveryReceipt | undefined>;

/** Nothing was sent, so nothing is counted; whoever made it wait says when it is its turn again. */
const NOT_ITS_TURN: SettleDecision = {
  outcome: {
    state: "pending",
    error: "The account could not send when it was its turn",
    retryInMs: 0,
    giveBackAttempt: true,
  },
  hold: "none",
};

export interface AttemptParts {
  readonly owner: string;
  readonly store: Store;
  readonly ports: Ports;
  readonly deadlines: Deadlines;
  readonly announce: Announce;
  /** The copies of files; absent where there is no state directory, and so no row with one. */
  readonly files?: OutgoingFiles | undefined;
  readonly signal: AbortSignal;
}

export interface AttemptEnd extends SettleDecision {
  readonly error?: unknown;
}

/**
 * One attempt: T5 (unless the row was born `sending`), the send (of a completion: the hook `announce`), T6. `findSend` is
 * asked last: without one, such as while the account is on hold, the row waits again as if not tried. `undefined` when the
 * row is no longer to be sent.
 * Rejects only when the store has closed or failed, or takes nothing while the gateway stops; the row may then be
 * `sending`, and the next process decides.
 */
export async function attemptDelivery(
  row: QueuedDelivery,
  findSend: () => Send | undefined,
  hold: AccountHold,
  parts: AttemptParts,
): Promise<AttemptEnd | undefined> {
  const { store, owner, ports, signal } = parts;
  if (!row.isSending) {
    const attempt = row.attempts + 1;
    ports.faultPoint("T5.before");
    const begun = await commitPatiently(store, { step: "attempt", id: row.id, owner, attempt }, ports, signal);
    ports.faultPoint("T5.after");
    if (begun.status === "refused") return undefined;
    row.attempts = attempt;
    row.isSending = true;
  }
  const kept = (await decideByEarlierPart(row, parts)) ?? decideHeld(hold.leftMs);
  const end = scrubEnd(kept ?? (await sendOnce(row, findSend(), parts)), ports.scrub);
  // At once: until this is written others of the account would still be sent.
  if (end.hold === "account" && "retryInMs" in end.outcome) hold.begin(end.outcome.retryInMs);
  ports.faultPoint("T6.before");
  await commitPatiently(
    store,
    { step: "settle", id: row.id, attempt: row.attempts, outcome: end.outcome },
    ports,
    signal,
  );
  ports.faultPoint("T6.after");
  row.isSending = false;
  return end;
}

async function sendOnce(row: QueuedDelivery, send: Send | undefined, parts: AttemptParts): Promise<AttemptEnd> {
  const { ports, deadlines } = parts;
  if (send === undefined) return NOT_ITS_TURN;
  try {
    const announcement = row.kind === "completion" ? await readAnnouncement(row, parts) : undefined;
    const receipt =
      announcement === undefined
        ? await deadlines.within(send(buildOutboundMessage(row, parts.files)), lateError)
        : // Each tap has its own time limit: cut off here as well, it could still send behind the next attempt's back.
          await announceOnce(announcement, parts);
    if (announcement !== undefined && receipt === undefined) return decideUnannounced();
    if (!isReceipt(receipt)) return { outcome: { state: "unknown", error: NO_RECEIPT }, hold: "none" };
    const state = row.maybeRepeated && row.policy !== "effectively-once" ? "sent_maybe_repeated" : "sent";
    const outcome: SettleOutcome = { state, platformId: receipt.platformId };
    return { outcome, hold: "none" };
  } catch (error) {
    const decision = decideSettle(error, row, ports.random());
    const next = decision.outcome.state;
    ports.log.warn({ err: error, delivery: row.id, attempt: row.attempts, next }, "a delivery was not confirmed");
    return { ...decision, error };
  }
}

async function announceOnce(
  announcement: Announcement,
  { announce, ports }: AttemptParts,
): Promise<DeliveryReceipt | undefined> {
  ports.faultPoint("tap.before");
  const receipt = await announce(announcement);
  ports.faultPoint("tap.after");
  return receipt;
}

/** What a plugin says of a failure is stored and shown. */
function scrubEnd(end: AttemptEnd, scrub: (text: string) => string): AttemptEnd {
  const { outcome } = end;
  return "error" in outcome ? { ...end, outcome: { ...outcome, error: scrub(outcome.error) } } : end;
}

/** A later part goes out only behind the earlier one: alone it would stand in the chat as a fragment. */
async function decideByEarlierPart(
  row: QueuedDelivery,
  { store, ports }: AttemptParts,
): Promise<SettleDecision | undefined> {
  const id = earlierPartId(row);
  if (id === undefined) return undefined;
  try {
    const earlier = await store.read.delivery(id);
    return earlier === undefined ? undefined : decideWithoutEarlierPart(earlier);
  } catch (error) {
    // One read that fails says nothing of the store: a store that has failed does not take the settling either.
    ports.log.warn({ err: error, delivery: row.id }, "the part before a delivery could not be read");
    return decideUnreadEarlierPart(error);
  }
}

/** A plugin may be written without types. */
function isReceipt(receipt: unknown): receipt is DeliveryReceipt {
  const isObject = typeof receipt === "object" && receipt !== null;
  return isObject && "platformId" in receipt && typeof receipt.platformId === "string";
}

function lateError(): ChannelError {
  return new ChannelError(
    "ambiguous",
    "A message was sent: the plugin gave no answer in time; the platform is slow or the plugin hangs",
  );
}
