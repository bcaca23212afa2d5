/** One try to bring a row into its chat, and what its end means. */
import {
  type Address,
  type Announcement,
  type DeliveryReceipt,
  type EditsAbility,
  isAddress,
  type OutboundMessage,
  parseAddress,
} from "@banyan/plugin-sdk";
import type { SettleOutcome, StoreReads } from "@banyan/plugin-sdk/store";
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

/** Sent again it would most likely stand there twice, each time anew. */
const NO_RECEIPT =
  "A message was sent: the plugin gave no receipt, so what became of it is not known; update the plugin, or tell its author";

/** What a connected account does with messages. */
export interface Sender {
  send(message: OutboundMessage): Promise<DeliveryReceipt>;
  /** Absent: the channel cannot edit. */
  readonly edits?: EditsAbility | undefined;
}

/** The hook `announce`: the receipt of the tap that delivered it; `undefined` where no tap took it. */
export type Announce = (announcement: Announcement) => Promise<DeliveryReceipt | undefined>;

export interface SendParts extends AnchorParts {
  readonly announce: Announce;
  /** The copies of files; absent where there is no state directory, and so no row with one. */
  readonly files?: OutgoingFiles | undefined;
}

export interface AttemptEnd extends SettleDecision {
  readonly error?: unknown;
}

/** Never rejects. */
export async function sendOnce(row: QueuedDelivery, sender: Sender, parts: SendParts): Promise<AttemptEnd> {
  const { ports } = parts;
  // Without edits an anchor is a message like any other, sent at least once.
  const isAnchored = row.policy === "anchor" && sender.edits !== undefined;
  try {
    const sendInstead = () => bring(row, sender, parts);
    const edit = (editing: string) => bring({ ...row, editing }, sender, parts);
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

/** What tells of a run goes through the hook; a row that tells of one whose record is gone is sent like any other. */
async function bring(row: Attempted, sender: Sender, parts: SendParts): Promise<DeliveryReceipt | undefined> {
  const announcement = row.kind === "completion" ? await readAnnouncement(row, parts) : undefined;
  // Each tap has its own time limit: cut off here as well, it could still send behind the next attempt's back.
  if (announcement !== undefined) return announceOnce(announcement, parts);
  const message = buildOutboundMessage(row, parts.files);
  const { editing } = row;
  if (editing === undefined || sender.edits === undefined) {
    return parts.deadlines.within(sender.send(message), buildLateError);
  }
  const { address, text } = message;
  await parts.deadlines.within(sender.edits.edit({ address, platformId: editing, text }), buildLateError);
  return { platformId: editing };
}

async function announceOnce(
  announcement: Announcement,
  { announce, ports }: SendParts,
): Promise<DeliveryReceipt | undefined> {
  ports.faultPoint("tap.before");
  const receipt = await announce(announcement);
  ports.faultPoint("tap.after");
  return receipt;
}

/** What was edited stands there once, however often; a tap may have sent a message of its own instead. */
function buildSent(row: QueuedDelivery, { platformId }: DeliveryReceipt, anchorId?: string): SettleOutcome {
  const isOnce = row.policy === "effectively-once" || platformId === anchorId;
  return { state: row.maybeRepeated && !isOnce ? "sent_maybe_repeated" : "sent", platformId };
}

export interface AnnouncementSource {
  readonly store: { readonly read: Pick<StoreReads, "delivery" | "session"> };
  readonly ports: Pick<Ports, "log">;
}

/** What the taps of `announce` are given for a row; `undefined` for one that tells of no run. */
export async function readAnnouncement(row: Attempted, source: AnnouncementSource): Promise<Announcement | undefined> {
  const written = row.part === 0 ? row.body : (await source.store.read.delivery(firstPartId(row)))?.body;
  if (written === undefined) return undefined;
  const first = parseDeliveryBody(written);
  return buildAnnouncement(row, first, await findChildThread(first.announcement?.childSessionKey, source));
}

/** A courtesy: what could not be read must not look like a send that failed. */
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
