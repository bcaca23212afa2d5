/**
 * One attempt to deliver a row:
 *   1 begin   the row is stored as `sending` (T5), unless it was stored so
 *   2 wait    a later part whose earlier part is missing, and a row of an account on hold, are not sent now
 *   3 send    by the account's connection; a completion by the hook `announce`; with the policy `anchor` by an edit of a
 *             message that was sent before (anchors/send-anchored.ts)
 *   4 settle  what the end means is decided (decide-settle.ts) and stored (T6)
 */
import {
  type Address,
  type Announcement,
  type DeliveryReceipt,
  type EditsAbility,
  isAddress,
  type OutboundMessage,
  parseAddress,
} from "@banyan/plugin-sdk";
import type { SettleOutcome, StoreReads } from "@banyan/store";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import { parseSessionRow } from "../sessions/session-record.ts";
import { type AnchorParts, sendAnchored } from "./anchors/send-anchored.ts";
import {
  buildLateError,
  decideHeld,
  decideSettle,
  decideUnannounced,
  decideUnreadEarlierPart,
  decideWithoutEarlierPart,
  isReceipt,
  type SettleDecision,
} from "./decide-settle.ts";
import type { OutgoingFiles } from "./outgoing-files.ts";
import type { AccountHold } from "./pace.ts";
import {
  type Attempted,
  buildAnnouncement,
  buildOutboundMessage,
  earlierPartId,
  firstPartId,
  parseDeliveryBody,
  type QueuedDelivery,
} from "./queued-delivery.ts";

/** Sent again it would most likely be in the chat twice, each time it is tried. */
const NO_RECEIPT =
  "A message was sent: the plugin gave no receipt, so what became of it is not known; update the plugin, or tell its author";

/** Nothing was sent, so no attempt is counted. What made the row wait also says when it is its turn again. */
const NOT_ITS_TURN: SettleDecision = {
  outcome: {
    state: "pending",
    error: "The account could not send when it was its turn",
    retryInMs: 0,
    giveBackAttempt: true,
  },
  hold: "none",
};

/** What a connected account does with messages. */
export interface Sender {
  send(message: OutboundMessage): Promise<DeliveryReceipt>;
  /** Absent: the channel cannot edit. */
  readonly edits?: EditsAbility | undefined;
}

/** The hook `announce`: the receipt of the tap that delivered it. `undefined`: no tap took it. */
export type Announce = (announcement: Announcement) => Promise<DeliveryReceipt | undefined>;

export interface AttemptParts extends AnchorParts {
  readonly owner: string;
  readonly announce: Announce;
  /** The copies of files. Absent without a state directory, and then no row has a file. */
  readonly files?: OutgoingFiles | undefined;
}

export interface AttemptEnd extends SettleDecision {
  readonly error?: unknown;
}

/**
 * `findSender` is called last: without a sender, such as while the account is on hold, the row waits again as if it was not
 * tried. Resolves with `undefined` if the row is not to be sent any more. Rejects only if the store has closed or failed, or
 * takes nothing while the gateway stops. The row may then be `sending`, and the next process decides about it.
 */
export async function attemptDelivery(
  row: QueuedDelivery,
  findSender: () => Sender | undefined,
  hold: AccountHold,
  parts: AttemptParts,
): Promise<AttemptEnd | undefined> {
  if (!row.isSending && !(await begin(row, parts))) return undefined;
  const kept = (await decideByEarlierPart(row, parts)) ?? decideHeld(hold.leftMs);
  const sender = kept === undefined ? findSender() : undefined;
  const end = kept ?? (sender === undefined ? NOT_ITS_TURN : await send(row, sender, parts));
  return settle(row, scrubEnd(end, parts.ports.scrub), hold, parts);
}

async function begin(row: QueuedDelivery, { store, owner, ports, signal }: AttemptParts): Promise<boolean> {
  const attempt = row.attempts + 1;
  ports.faultPoint("T5.before");
  const begun = await commitPatiently(store, { step: "attempt", id: row.id, owner, attempt }, ports, signal);
  ports.faultPoint("T5.after");
  if (begun.status === "refused") return false;
  row.attempts = attempt;
  row.isSending = true;
  return true;
}

/** A later part is sent only after the earlier one: alone it would be a fragment in the chat. */
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
    // One read that fails says nothing about the store: a store that has failed does not settle the row either.
    ports.log.warn({ err: error, delivery: row.id }, "the part before a delivery could not be read");
    return decideUnreadEarlierPart(error);
  }
}

/** Never rejects. */
async function send(row: QueuedDelivery, sender: Sender, parts: AttemptParts): Promise<AttemptEnd> {
  const { ports } = parts;
  // Without edits an anchor is a message like any other, sent at least once.
  const isAnchored = row.policy === "anchor" && sender.edits !== undefined;
  try {
    const sendInstead = () => sendOnce(row, sender, parts);
    const edit = (editing: string) => sendOnce({ ...row, editing }, sender, parts);
    const { anchorId, receipt } = isAnchored
      ? await sendAnchored(row, { send: (message) => sender.send(message), sendInstead, edit }, parts)
      : { anchorId: undefined, receipt: await sendInstead() };
    if (row.kind === "completion" && receipt === undefined) return decideUnannounced();
    if (!isReceipt(receipt)) return { outcome: { state: "unknown", error: NO_RECEIPT }, hold: "none" };
    return { outcome: buildSent(row, receipt, anchorId), hold: "none" };
  } catch (error) {
    const decision = decideSettle(error, row, ports.random());
    const next = decision.outcome.state;
    ports.log.warn({ err: error, delivery: row.id, attempt: row.attempts, next }, "a delivery was not confirmed");
    return { ...decision, error };
  }
}

/** A completion is sent by the hook. One whose run has no record any more is sent like any other message. */
async function sendOnce(row: Attempted, sender: Sender, parts: AttemptParts): Promise<DeliveryReceipt | undefined> {
  const announcement = row.kind === "completion" ? await readAnnouncement(row, parts) : undefined;
  // Each tap has its own time limit. Cut off here as well, it could still send after the next attempt has begun.
  if (announcement !== undefined) return announce(announcement, parts);
  const message = buildOutboundMessage(row, parts.files);
  const { editing } = row;
  if (editing === undefined || sender.edits === undefined) {
    return parts.deadlines.within(sender.send(message), buildLateError);
  }
  const { address, text } = message;
  await parts.deadlines.within(sender.edits.edit({ address, platformId: editing, text }), buildLateError);
  return { platformId: editing };
}

async function announce(announcement: Announcement, parts: AttemptParts): Promise<DeliveryReceipt | undefined> {
  const { faultPoint } = parts.ports;
  faultPoint("tap.before");
  const receipt = await parts.announce(announcement);
  faultPoint("tap.after");
  return receipt;
}

/** An edited message is in the chat once, however often it was edited. A tap may have sent a separate message instead. */
function buildSent(row: QueuedDelivery, { platformId }: DeliveryReceipt, anchorId?: string): SettleOutcome {
  const isOnce = row.policy === "effectively-once" || platformId === anchorId;
  return { state: row.maybeRepeated && !isOnce ? "sent_maybe_repeated" : "sent", platformId };
}

/** T6. */
async function settle(
  row: QueuedDelivery,
  end: AttemptEnd,
  hold: AccountHold,
  { store, ports, signal }: AttemptParts,
): Promise<AttemptEnd> {
  // Before the write: other rows of the account would be sent until it is done.
  if (end.hold === "account" && "retryInMs" in end.outcome) hold.begin(end.outcome.retryInMs);
  ports.faultPoint("T6.before");
  const { id, attempts: attempt, address, chat } = row;
  const step = { step: "settle", id, attempt, outcome: end.outcome } as const;
  await commitPatiently(store, canMove(address) ? { ...step, sentTo: { address, chat } } : step, ports, signal);
  ports.faultPoint("T6.after");
  row.isSending = false;
  return end;
}

/** A direct chat keeps its id. */
function canMove(address: string): boolean {
  return isAddress(address) && parseAddress(address).kind !== "dm";
}

/** What a plugin says about a failure is stored and shown. */
function scrubEnd(end: AttemptEnd, scrub: (text: string) => string): AttemptEnd {
  const { outcome } = end;
  return "error" in outcome ? { ...end, outcome: { ...outcome, error: scrub(outcome.error) } } : end;
}

interface AnnouncementSource {
  readonly store: { readonly read: Pick<StoreReads, "delivery" | "session"> };
  readonly ports: Pick<Ports, "log">;
}

/** Reads what the taps of `announce` get for a row. `undefined`: it is not about a run. */
async function readAnnouncement(row: Attempted, source: AnnouncementSource): Promise<Announcement | undefined> {
  const written = row.part === 0 ? row.body : (await source.store.read.delivery(firstPartId(row)))?.body;
  if (written === undefined) return undefined;
  const first = parseDeliveryBody(written);
  return buildAnnouncement(row, first, await findChildThread(first.announcement?.childSessionKey, source));
}

/** Only a courtesy: a thread that could not be read must not look like a send that failed. */
async function findChildThread(
  childSessionKey: string | undefined,
  { store, ports }: AnnouncementSource,
): Promise<Address | undefined> {
  if (childSessionKey === undefined) return undefined;
  try {
    const row = await store.read.session(childSessionKey);
    const { ownThread = "" } = row === undefined ? {} : parseSessionRow(row).entry;
    return isAddress(ownThread) ? ownThread : undefined;
  } catch (error) {
    ports.log.warn({ err: error, session: childSessionKey }, "a sub-agent's thread could not be looked up");
    return undefined;
  }
}
