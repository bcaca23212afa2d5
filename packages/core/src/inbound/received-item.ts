/** What the store receives for one message: a lane item with all that may be written with it, or the fact of a refusal. */
import { type Address, type InboundMessage, parseAddress } from "@banyan/plugin-sdk";
import type { ItemRow, ReceivedItem } from "@banyan/store";
import { countOf } from "../commands/command.ts";
import type { QueueRules } from "../config/shapes/queue-config.ts";
import { formatItemBody } from "../lanes/item-body.ts";
import type { Ports } from "../ports/ports.ts";
import { openSessionEntry } from "../sessions/open-session-entry.ts";
import type { SessionCache } from "../sessions/session-cache.ts";
import { buildSessionWrite, type SessionRecord } from "../sessions/session-record.ts";
import type { InboundAcceptance, InboundDecision, InboundRefusal } from "./decide.ts";
import { composeNotice, type Notice, type NoticeParts } from "./notice.ts";
import { buildPairing } from "./pairing.ts";

/** Messages that may wait in one lane: enough for any conversation, and a flood stays small. */
const LANE_CAP_ITEMS = 1_000;
/** A batch of this size cannot fill an idle lane. */
const MAX_SMALL_BATCH = 100;
/** Open commands of one lane: more than a person types while one command runs, and a flood stays small. */
const MAX_OPEN_COMMANDS = 100;
/** At most one notice per address about messages or commands that were not taken. */
const BUSY_QUIET_MS = 60_000;
/** At most one notice to a refused sender. */
const REFUSAL_QUIET_MS = 60 * 60_000;

export interface ReceivedItemParts extends NoticeParts {
  readonly ports: Ports;
  readonly sessions: SessionCache;
  getQueueRules(session: Partial<Pick<SessionRecord, "entry">>, address: Address): QueueRules;
}

/** An item with the message that it was built from. */
export interface ReceivedOffer {
  readonly message: InboundMessage;
  readonly item: ReceivedItem;
}

/** The limits of the lanes while one batch is decided. */
export interface LaneLoad {
  /** Whether the lane may be full: it is active in this process, or the batch is large. */
  isBusy(lane: string, laneCap: number): boolean;
  /** Counts a command of the batch. `false`: the lane has too many. */
  takeCommand(lane: string): boolean;
}

export function createLaneLoad(
  batchSize: number,
  lanes: { has(lane: string): boolean },
  commands: { count(lane: string): number },
): LaneLoad {
  const counts = new Map<string, number>();
  return {
    isBusy: (lane, laneCap) => batchSize > Math.min(MAX_SMALL_BATCH, laneCap) || lanes.has(lane),
    takeCommand: (lane) => {
      const open = counts.get(lane) ?? commands.count(lane);
      counts.set(lane, open + 1);
      return open < MAX_OPEN_COMMANDS;
    },
  };
}

/**
 * Builds the item of a decided message, and after a command the item of its message. `source`: the address where the
 * platform delivered the message. It identifies the message, because a reply may be routed to another address each time.
 */
export function buildReceivedItems(
  message: InboundMessage,
  decision: InboundDecision,
  source: Address,
  load: LaneLoad,
  parts: ReceivedItemParts,
): readonly ReceivedOffer[] {
  const { id: nativeId, address } = message;
  const dedupe = formatDedupe({ ...message, address: source });
  const refused = { nativeId, address, dedupe, lane: "", kind: "message", body: "{}", laneCap: 0 } as const;
  if (decision.status === "refused")
    return [{ message, item: { ...refused, ...buildRefusal(message, decision, source, parts) } }];
  const { sessionKey: lane, kind, followUp } = decision;
  if (kind === "command" && !load.takeCommand(lane)) {
    const deliveries = composeNotice(buildBusyNotice(address, lane), parts);
    return [{ message, item: { ...refused, refused: "busy", deliveries } }];
  }
  const session = parts.sessions.find(lane);
  const laneCap = findLaneCap(address, session, parts);
  // The notice costs more than the rest of the item, and an idle lane is not full.
  const [ifFull] = load.isBusy(lane, laneCap)
    ? composeNotice(buildFullNotice(address, lane, laneCap, session?.revision ?? 0), parts)
    : [];
  const item: ReceivedItem = {
    nativeId,
    address,
    dedupe,
    lane,
    kind,
    body: formatItemBody(message),
    laneCap,
    ...(ifFull === undefined ? {} : { ifFull }),
    ...buildWriter(message, decision, parts),
    ...buildSession(message, decision, session, parts),
  };
  const offer = { message, item };
  return followUp === undefined ? [offer] : [offer, buildFollowUp({ ...message, text: followUp }, item)];
}

/** Builds the item of a command's message. Stored in the same step, so that no other item comes between the two. */
function buildFollowUp(message: InboundMessage, command: ReceivedItem): ReceivedOffer {
  const { session: _session, writer: _writer, ...rest } = command;
  const own = {
    kind: "message",
    nativeId: `${command.nativeId}+`,
    dedupe: `${command.dedupe}+`,
    follows: command.dedupe,
    body: formatItemBody(message, { isFollowUp: true }),
  } as const;
  return { message, item: { ...rest, ...own } };
}

/**
 * Formats what the platform never reuses: the place, the time of the edit, and the message's id there. The id is last,
 * because it may hold any character, while an address holds neither `|` nor `@`.
 */
function formatDedupe({ address, id, editedAt }: Pick<InboundMessage, "address" | "id" | "editedAt">): string {
  return editedAt === undefined ? `${address}|${id}` : `${address}@${editedAt}|${id}`;
}

/** Only the fact of a refusal is stored, never the text, except for an edit of a message that waits. Groups get no notice. */
function buildRefusal(
  message: InboundMessage,
  { reason: refused, notice, offersPairing, amends }: InboundRefusal,
  source: Address,
  parts: ReceivedItemParts,
): Pick<ReceivedItem, "refused" | "pairing" | "amendment" | "deliveries" | "ifFull"> {
  const { address, id } = message;
  if (amends)
    return { refused, amendment: { dedupe: formatDedupe({ address: source, id }), body: formatItemBody(message) } };
  if (parseAddress(address).kind !== "dm") return { refused };
  if (offersPairing) return { refused, ...buildPairing(message, parts) };
  if (notice === undefined) return { refused };
  // A separate key: a sender with access must learn of a message that was left out, even soon after another refusal.
  const key = refused === "too_old" ? `late|${address}` : `refused|${address}`;
  const quiet = { key, ms: REFUSAL_QUIET_MS };
  return { refused, deliveries: composeNotice({ address, text: notice, quiet }, parts) };
}

/** Names the sender as a writer of the session, unless the store is known to have it. */
function buildWriter(
  { sender }: InboundMessage,
  { sessionKey, place }: InboundAcceptance,
  { sessions }: ReceivedItemParts,
): Pick<ReceivedItem, "writer"> {
  const writer = { channel: place.channel, peer: sender.id.trim() };
  return sessions.hasWriter(sessionKey, formatWriter(writer)) ? {} : { writer };
}

export function formatWriter(writer: { readonly channel: string; readonly peer: string }): string {
  return `${writer.channel}:${writer.peer}`;
}

/** Offers a first record for a session that is not known. Not for a bound one: if it does not exist, the binding is dead. */
function buildSession(
  message: InboundMessage,
  { sessionKey: key, agentId, place, person, bindingId }: InboundAcceptance,
  known: SessionRecord | undefined,
  { ports }: ReceivedItemParts,
): Pick<ReceivedItem, "session" | "knownRevision"> {
  if (known !== undefined) return { knownRevision: known.revision };
  if (bindingId !== undefined) return {};
  const entry = openSessionEntry({
    key,
    sessionId: ports.createUuid(),
    now: ports.clock.now(),
    place,
    address: message.address,
    senderId: message.sender.id,
    ...(person === undefined ? {} : { person }),
    ...(message.guild === undefined ? {} : { guild: message.guild }),
  });
  return { session: buildSessionWrite({ key, agentId, revision: 0 }, entry) };
}

/** With the policy `new` a message beyond the queue's cap is refused; else the next turn makes room by dropping old ones. */
function findLaneCap(address: Address, known: SessionRecord | undefined, parts: ReceivedItemParts): number {
  const { drop, cap } = parts.getQueueRules(known ?? {}, address);
  return drop === "new" ? Math.min(cap, LANE_CAP_ITEMS) : LANE_CAP_ITEMS;
}

function buildFullNotice(address: Address, sessionKey: string, laneCap: number, revision: number): Notice {
  const waiting = countOf(laneCap, "message already waits", "messages already wait");
  const text = `${waiting} here, so your last one was not taken, and none is until there is room. Send it again later, or /stop what runs.`;
  // Each turn that ends makes room and changes the revision, so what is refused after it gets a new notice.
  return { address, sessionKey, text, quiet: { key: `full|${address}|${revision}`, ms: BUSY_QUIET_MS } };
}

function buildBusyNotice(address: Address, sessionKey: string): Notice {
  const text = "Too many commands already wait here, so your last one was not taken. Send it again in a moment.";
  return { address, sessionKey, text, quiet: { key: `busy|${address}`, ms: BUSY_QUIET_MS } };
}

/** Builds the row that the store now has for an item. */
export function buildItemRow(item: ReceivedItem, seq: number, receivedAtMs: number): ItemRow {
  const { lane, kind, address, body } = item;
  return { lane, seq, kind, state: "waiting", address, attempt: 0, receivedAtMs, body };
}
