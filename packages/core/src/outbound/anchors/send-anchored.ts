/**
 * Sends a message by editing it into one that was sent before: an edit may be repeated without a trace, a message may not.
 *
 * 1. what there is to edit: the message sent for this row, else the one whose place it takes
 * 2. none, or it is gone: a short message is sent first
 * 3. its id is stored, so that each life edits the same one
 * 4. the edit
 * 5. refused: that is stored, then the text is sent as a message of its own
 */
import {
  ChannelError,
  type ChannelErrorClass,
  type DeliveryReceipt,
  type OutboundMessage,
  REFUSED_CLASSES,
} from "@banyan/plugin-sdk";
import type { AnchorStep, DeliveryRow, Store } from "@banyan/plugin-sdk/store";
import { commitPatiently } from "../../ports/commit-step.ts";
import type { Deadlines } from "../../ports/deadlines.ts";
import type { Ports } from "../../ports/ports.ts";
import { buildPlaceholder, type QueuedDelivery } from "../queued-delivery.ts";
import { buildLateError, isReceipt } from "../receipt.ts";

const NO_RECEIPT = "A message was sent to be edited: the plugin gave no receipt; update the plugin, or tell its author";
const FENCED = "A message was sent to be edited: its delivery is another process' by now, or its chat has another id";

export interface AnchorParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly deadlines: Deadlines;
  readonly signal: AbortSignal;
  /** An edit of the row's message may come behind every later one: nobody else's words go there. */
  isSpoiled(row: DeliveryRow): boolean;
}

export interface AnchoredSend {
  send(message: OutboundMessage): Promise<DeliveryReceipt>;
  /** Sends the row's text as a message of its own. */
  sendInstead(): Promise<DeliveryReceipt | undefined>;
  /** Edits the message of this platform id into the row's text. */
  edit(anchorId: string): Promise<DeliveryReceipt | undefined>;
}

export interface AnchoredEnd {
  /** The message that was edited; absent where another one was sent instead. */
  readonly anchorId?: string;
  readonly receipt: DeliveryReceipt | undefined;
}

/** The platform will not take the edit, however often it is made. All other failures may pass, or their end is unclear. */
const REFUSED: ReadonlySet<ChannelErrorClass> = new Set([...REFUSED_CLASSES, "message_gone"]);

/** Rejects as `send` and `edit` do, except where an edit is refused; a message that is gone is replaced once. */
export async function sendAnchored(row: QueuedDelivery, act: AnchoredSend, parts: AnchorParts): Promise<AnchoredEnd> {
  const standing = row.anchorId ?? (await claimMessage(row, parts));
  if (standing !== undefined) {
    try {
      return { anchorId: standing, receipt: await act.edit(standing) };
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (error.class !== "message_gone") return sendInstead(row, standing, error, act, parts);
      parts.ports.log.info({ delivery: row.id }, "a message to edit was gone; another one takes its place");
    }
  }
  const anchorId = await placeAnchor(row, act, parts);
  try {
    return { anchorId, receipt: await act.edit(anchorId) };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return sendInstead(row, anchorId, error, act, parts);
  }
}

/** What was to be edited stays as it is. */
async function sendInstead(
  row: QueuedDelivery,
  anchorId: string,
  refusal: ChannelError,
  act: AnchoredSend,
  parts: AnchorParts,
): Promise<AnchoredEnd> {
  const { log } = parts.ports;
  log.warn({ err: refusal, delivery: row.id }, "an edit was refused; its text is sent as a new message");
  await storeAnchor(row, { anchorId, isRefused: true }, parts);
  row.policy = "at-least-once";
  return { receipt: await act.sendInstead() };
}

/** It is written down before anything of the row stands there: what a later life finds out of reach holds nothing of it. */
async function claimMessage(row: QueuedDelivery, parts: AnchorParts): Promise<string | undefined> {
  const claimed = await findClaimed(row, parts);
  if (claimed !== undefined) await storeAnchor(row, { anchorId: claimed }, parts);
  return claimed;
}

/** The message of the row that this one takes the place of; only where that was sent, and the store gave it to this one. */
async function findClaimed(
  { id, claims, address }: QueuedDelivery,
  { store, isSpoiled }: AnchorParts,
): Promise<string | undefined> {
  if (claims === undefined) return undefined;
  const [claimed, claimant] = await Promise.all([store.read.delivery(claims), store.read.claimant(claims)]);
  // What was written a moment ago says here what it asked for: another row may have been first.
  if (claimant?.id !== id) return undefined;
  const isSent = claimed?.state === "sent" || claimed?.state === "sent_maybe_repeated";
  return isSent && claimed.address === address && !isSpoiled(claimed) ? claimed.platformId : undefined;
}

/** Where the process dies before its id is stored another one is sent: of these the last one counts. */
async function placeAnchor(row: QueuedDelivery, { send }: AnchoredSend, parts: AnchorParts): Promise<string> {
  const { ports, deadlines } = parts;
  ports.faultPoint("placeholder.before");
  const receipt: unknown = await deadlines.within(send(buildPlaceholder(row)), buildLateError);
  ports.faultPoint("placeholder.after");
  if (!isReceipt(receipt)) throw new ChannelError("ambiguous", NO_RECEIPT);
  const { platformId: anchorId } = receipt;
  await storeAnchor(row, { anchorId }, parts);
  return anchorId;
}

async function storeAnchor(
  row: QueuedDelivery,
  anchor: Pick<AnchorStep, "anchorId" | "isRefused">,
  { store, ports, signal }: AnchorParts,
): Promise<void> {
  ports.faultPoint("anchor.before");
  const step = { step: "anchor", id: row.id, attempt: row.attempts, chat: row.chat, ...anchor } as const;
  const stored = await commitPatiently(store, step, ports, signal);
  ports.faultPoint("anchor.after");
  // Somebody else has the row by now, or it is on its way to the chat's new id, and its text would stand there twice.
  if (stored.status === "fenced") throw new ChannelError("definite", FENCED);
  row.anchorId = anchor.anchorId;
}

function isRefused(error: unknown): error is ChannelError {
  return error instanceof ChannelError && REFUSED.has(error.class);
}
