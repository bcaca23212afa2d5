/** A session that goes on under another key. Pure; its file keeps its name until the next reset. */
import type { AddressParts, SessionEntry } from "@banyan/plugin-sdk";
import { type MigrateChatStep, moveAddress, type SessionMove } from "@banyan/store";
import { moveDayUse } from "./day-count.ts";
import { decodeSegment, encodeSegment } from "./keys/key-segment.ts";
import { buildSessionKey, parseSessionKeyParts } from "./keys/session-key-parts.ts";
import type { SessionRecord } from "./session-record.ts";

/** A chat's old and new id, as the platform told them. */
export interface ChatMove {
  readonly from: AddressParts;
  readonly to: AddressParts;
  readonly addresses: MigrateChatStep["addresses"];
}

/** The key of the same session in the chat's new id; `undefined` for a session of another chat. Threads go along. */
export function findMovedKey(key: string, { from, to }: ChatMove): string | undefined {
  const parts = parseSessionKeyParts(key);
  if (parts === null || (parts.kind !== "group" && parts.kind !== "channel")) return undefined;
  if (parts.kind !== from.kind || parts.channel !== from.channel || parts.chat !== encodeSegment(from.chat))
    return undefined;
  if (to.kind !== "group" && to.kind !== "channel") return undefined;
  return buildSessionKey({ ...parts, kind: to.kind, chat: encodeSegment(to.chat) });
}

/** What the session's record says of its place is true of the new one. */
export function moveToChat(record: SessionRecord, key: string, { from, to, addresses }: ChatMove): SessionMove {
  const { entry } = record;
  const rename = (id: string) => (id === from.chat ? to.chat : id);
  const moved: SessionEntry = {
    ...entry,
    ...(entry.groupId === undefined ? {} : { groupId: rename(entry.groupId) }),
    ...(entry.deliveryContext === undefined ? {} : { deliveryContext: moveAddress(entry.deliveryContext, addresses) }),
    ...(entry.origin === undefined ? {} : { origin: moveOrigin(entry.origin, to, rename) }),
  };
  return buildSessionMove(record, key, moved);
}

/** Whom the key of a direct chat names, as a record does; `undefined`: it is none. */
export function findPersonOfKey(key: string): string | undefined {
  const parts = parseSessionKeyParts(key);
  if (parts?.kind !== "dm") return undefined;
  const peer = decodeSegment(parts.peer);
  return parts.channel === undefined ? peer : `${parts.channel}:${peer}`;
}

/** The record of a direct chat names its person; it is who the new key names. */
export function moveToKey(record: SessionRecord, key: string): SessionMove {
  const { userId, ...entry } = record.entry;
  const person = findPersonOfKey(key);
  if (person === undefined) return buildSessionMove(record, key, userId === undefined ? entry : { ...entry, userId });
  const counts = moveDayUse(record.entry, person);
  const move = buildSessionMove(record, key, { ...entry, userId: person });
  return counts.length === 0 ? move : { ...move, counts };
}

function moveOrigin(
  origin: NonNullable<SessionEntry["origin"]>,
  to: AddressParts,
  rename: (id: string) => string,
): NonNullable<SessionEntry["origin"]> {
  const { to: chat, nativeChannelId } = origin;
  return {
    ...origin,
    chatType: to.kind,
    ...(chat === undefined ? {} : { to: rename(chat) }),
    ...(nativeChannelId === undefined ? {} : { nativeChannelId: rename(nativeChannelId) }),
  };
}

function buildSessionMove({ key: from, revision }: SessionRecord, to: string, entry: SessionEntry): SessionMove {
  return { from, to, expectRevision: revision, body: JSON.stringify(entry) };
}
