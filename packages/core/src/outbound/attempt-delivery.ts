import { isAddress, parseAddress } from "@banyan/plugin-sdk";
import { commitPatiently } from "../ports/commit-step.ts";
import type { AccountHold } from "./account-hold.ts";
import { decideHeld, decideUnreadEarlierPart, decideWithoutEarlierPart, type SettleDecision } from "./decide-settle.ts";
import { earlierPartId, type QueuedDelivery } from "./queued-delivery.ts";
import { type AttemptEnd, type Sender, type SendParts, sendOnce } from "./send-once.ts";

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

export interface AttemptParts extends SendParts {
  readonly owner: string;
}

/**
 * One attempt: T5 (unless the row was born `sending`), the send (of a completion: the hook `announce`), T6. `findSender` is
 * asked last: without one, such as while the account is on hold, the row waits again as if not tried. `undefined` when the
 * row is no longer to be sent.
 * Rejects only when the store has closed or failed, or takes nothing while the gateway stops; the row may then be
 * `sending`, and the next process decides.
 */
export async function attemptDelivery(
  row: QueuedDelivery,
  findSender: () => Sender | undefined,
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
  const sender = kept === undefined ? findSender() : undefined;
  const end = kept ?? (sender === undefined ? NOT_ITS_TURN : await sendOnce(row, sender, parts));
  return settle(row, scrubEnd(end, ports.scrub), hold, parts);
}

/** T6. */
async function settle(
  row: QueuedDelivery,
  end: AttemptEnd,
  hold: AccountHold,
  { store, ports, signal }: AttemptParts,
): Promise<AttemptEnd> {
  // At once: until this is written others of the account would still be sent.
  if (end.hold === "account" && "retryInMs" in end.outcome) hold.begin(end.outcome.retryInMs);
  ports.faultPoint("T6.before");
  const { id, attempts: attempt, address, chat } = row;
  const step = { step: "settle", id, attempt, outcome: end.outcome } as const;
  await commitPatiently(store, canMove(address) ? { ...step, sentTo: { address, chat } } : step, ports, signal);
  ports.faultPoint("T6.after");
  row.isSending = false;
  return end;
}

/** Of groups and channels: a direct chat keeps its id. */
function canMove(address: string): boolean {
  return isAddress(address) && parseAddress(address).kind !== "dm";
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
