import type { Address, InboundMessage } from "@banyan/plugin-sdk";
import type { ItemRow, NewDelivery, ReceivedItem, SessionWrite } from "@banyan/store";
import { countOf } from "../commands/command.ts";
import type { QueueRules } from "../config/shapes/queue-config.ts";
import { formatItemBody } from "../lanes/item-body.ts";
import { openSessionEntry } from "../sessions/open-session-entry.ts";
import type { SessionCache } from "../sessions/session-cache.ts";
import { buildSessionWrite, type SessionRecord } from "../sessions/session-record.ts";
import { buildRefused, type RefusedParts } from "./build-refused.ts";
import { composeNotice, composeOneNotice } from "./compose-notice.ts";
import type { InboundDecision } from "./decide-inbound.ts";
import { formatDedupe } from "./message-identity.ts";

/** Messages that may wait in one lane: enough for any conversation, few enough that a flood stays a small one. */
const LANE_CAP_ITEMS = 1_000;
/** At an address where commands come faster than they are run, at most one line about it in this time. */
const BUSY_QUIET_MS = 60_000;

export interface ReceivedParts extends RefusedParts {
  readonly sessions: SessionCache;
  /** Whether the lane runs or waits in this process. */
  isBusy(lane: string, laneCap: number): boolean;
  getQueueRules(session: Partial<Pick<SessionRecord, "entry">>, address: Address): QueueRules;
  /** Whether one more command of the lane may be under way. */
  takeCommand(lane: string): boolean;
  readonly createUuid: () => string;
  readonly now: number;
}

/** An item and the message that it holds. */
export interface ReceivedOffer {
  readonly message: InboundMessage;
  readonly item: ReceivedItem;
}

/**
 * A decided message as T0 stores it, and the message that a command carries, in this order. `cameIn`: where the platform
 * brought it. By that it is told from others whatever place it counts for, which may be another one when it comes again.
 */
export function buildReceivedItems(
  message: InboundMessage,
  decision: InboundDecision,
  parts: ReceivedParts,
  cameIn: Address = message.address,
): readonly ReceivedOffer[] {
  const item = buildReceivedItem(message, decision, parts, cameIn);
  const offer = { message, item };
  if (decision.status === "refused" || decision.followUp === undefined || item.refused !== undefined) return [offer];
  const followUp = { ...message, text: decision.followUp };
  // Stored in the same step, so that nothing comes between the command and its message.
  const { session: _session, writer: _writer, ...rest } = item;
  const own = {
    kind: "message",
    nativeId: `${item.nativeId}+`,
    dedupe: `${item.dedupe}+`,
    follows: item.dedupe,
  } as const;
  const body = formatItemBody(followUp, { isFollowUp: true });
  return [offer, { message: followUp, item: { ...rest, ...own, body } }];
}

/** Of a refused message only the fact is kept, never the text; an edit's goes where its message waits. */
function buildReceivedItem(
  message: InboundMessage,
  decision: InboundDecision,
  parts: ReceivedParts,
  cameIn: Address,
): ReceivedItem {
  const { address, id } = message;
  const identity = { nativeId: id, address, dedupe: formatDedupe({ ...message, address: cameIn }) };
  const nothing = { ...identity, lane: "", kind: "message", body: "{}", laneCap: 0 } as const;
  if (decision.status === "refused") return { ...nothing, ...buildRefused(message, decision, parts, cameIn) };
  const { sessionKey, kind, place } = decision;
  if (kind === "command" && !parts.takeCommand(sessionKey)) {
    return { ...nothing, refused: "busy", deliveries: buildBusyNotice(message, sessionKey, parts) };
  }
  const known = parts.sessions.find(sessionKey);
  const laneCap = findCap(message, known, parts);
  const writer = { channel: place.channel, peer: message.sender.id.trim() };
  const isKnownWriter = parts.sessions.hasWriter(sessionKey, formatWriter(writer));
  return {
    ...identity,
    lane: sessionKey,
    kind,
    body: formatItemBody(message),
    laneCap,
    // An idle lane is not full; the notice would cost more than the rest of the item.
    ...(parts.isBusy(sessionKey, laneCap)
      ? { ifFull: buildFullNotice(message, { sessionKey, laneCap, revision: known?.revision ?? 0 }, parts) }
      : {}),
    ...(isKnownWriter ? {} : { writer }),
    ...(known === undefined ? buildOffer(message, decision, parts) : { knownRevision: known.revision }),
  };
}

/** A bound session stands already: where it does not, the store refuses the step and the binding goes. */
function buildOffer(
  message: InboundMessage,
  decision: Extract<InboundDecision, { status: "accepted" }>,
  parts: ReceivedParts,
): { session?: SessionWrite } {
  return decision.bindingId === undefined ? { session: buildFirstRecord(message, decision, parts) } : {};
}

export function formatWriter(writer: { readonly channel: string; readonly peer: string }): string {
  return `${writer.channel}:${writer.peer}`;
}

function buildFirstRecord(
  message: InboundMessage,
  decision: Extract<InboundDecision, { status: "accepted" }>,
  parts: ReceivedParts,
) {
  const { sessionKey: key, agentId, place, person } = decision;
  const entry = openSessionEntry({
    key,
    sessionId: parts.createUuid(),
    now: parts.now,
    place,
    address: message.address,
    senderId: message.sender.id,
    ...(person === undefined ? {} : { person }),
    ...(message.guild === undefined ? {} : { guild: message.guild }),
  });
  return buildSessionWrite({ key, agentId, revision: 0 }, entry);
}

/** Where the newest is what is left out it is refused; else the oldest make room with the next turn. */
function findCap({ address }: InboundMessage, known: SessionRecord | undefined, parts: ReceivedParts): number {
  const { drop, cap } = parts.getQueueRules(known ?? {}, address);
  return drop === "new" ? Math.min(cap, LANE_CAP_ITEMS) : LANE_CAP_ITEMS;
}

function buildFullNotice(
  message: InboundMessage,
  {
    sessionKey,
    laneCap,
    revision,
  }: { readonly sessionKey: string; readonly laneCap: number; readonly revision: number },
  parts: ReceivedParts,
): NewDelivery {
  const waiting = countOf(laneCap, "message already waits", "messages already wait");
  const text = `${waiting} here, so your last one was not taken, and none is until there is room. Send it again later, or /stop what runs.`;
  // Each turn that ends makes room, so what is refused behind it is told of anew.
  const quiet = { key: `full|${message.address}|${revision}`, ms: BUSY_QUIET_MS };
  return composeOneNotice(message, { text, quiet, sessionKey }, parts);
}

function buildBusyNotice(message: InboundMessage, sessionKey: string, parts: ReceivedParts): readonly NewDelivery[] {
  const text = "Too many commands already wait here, so your last one was not taken. Send it again in a moment.";
  const quiet = { key: `busy|${message.address}`, ms: BUSY_QUIET_MS };
  return composeNotice(message, { text, quiet, sessionKey }, parts);
}

/** A received item as the store gives it back. */
export function buildItemRow(item: ReceivedItem, seq: number, receivedAtMs: number): ItemRow {
  const { lane, kind, address, body } = item;
  return { lane, seq, kind, state: "waiting", address, attempt: 0, receivedAtMs, body };
}
