/** One try to bring a row into its chat, and what its end means. */
import type { Announcement, DeliveryReceipt, EditsAbility, OutboundMessage } from "@banyan/plugin-sdk";
import type { SettleOutcome } from "@banyan/store";
import { type AnchorParts, sendAnchored } from "./anchors/send-anchored.ts";
import { decideSettle, decideUnannounced, type SettleDecision } from "./decide-settle.ts";
import type { OutgoingFiles } from "./outgoing-files.ts";
import { type Attempted, buildOutboundMessage, type QueuedDelivery } from "./queued-delivery.ts";
import { readAnnouncement } from "./read-announcement.ts";
import { buildLateError, isReceipt } from "./receipt.ts";

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
