import type { AddressParts, SessionEntry } from "@banyan/plugin-sdk";
import { buildSessionFileName } from "./keys/session-file-name.ts";

export interface SessionOpening {
  readonly key: string;
  readonly sessionId: string;
  readonly now: number;
  /** The place it is opened from; absent when a program opens it. */
  readonly place?: AddressParts;
  readonly address?: string;
  readonly senderId?: string;
  /** The linked person's name. */
  readonly person?: string;
  /** The server that the place belongs to. */
  readonly guild?: string;
}

/** The first record of a session. */
export function openSessionEntry(opening: SessionOpening): SessionEntry {
  const { key, sessionId, now, place } = opening;
  const first: SessionEntry = {
    sessionId,
    sessionFile: buildSessionFileName(key, sessionId),
    updatedAt: now,
    sessionStartedAt: now,
    messageCount: 0,
  };
  if (place === undefined) return first;
  const userId =
    opening.person ?? (opening.senderId === undefined ? undefined : `${place.channel}:${opening.senderId}`);
  return {
    ...first,
    lastInteractionAt: now,
    channel: place.channel,
    ...(place.kind === "dm" ? (userId === undefined ? {} : { userId }) : { groupId: place.chat }),
    ...(opening.guild === undefined || place.kind === "dm" ? {} : { space: opening.guild }),
    ...(opening.address === undefined ? {} : { deliveryContext: opening.address }),
    origin: {
      provider: place.channel,
      chatType: place.kind,
      to: place.chat,
      accountId: place.account,
      ...(place.thread === undefined ? {} : { threadId: place.thread }),
      ...(opening.senderId === undefined ? {} : { from: opening.senderId }),
      ...(place.kind === "dm" && opening.senderId !== undefined ? { nativeDirectUserId: opening.senderId } : {}),
    },
  };
}

/** What belongs to the person and the place, not to one conversation; and what a sub-agent is and may do. */
const KEPT_FIELDS = [
  "label",
  "userId",
  "channel",
  "groupId",
  "groupChannel",
  "space",
  "origin",
  "deliveryContext",
  "ownThread",
  "modelOverride",
  "dayUsage",
  "thinkingLevel",
  "spawnedBy",
  "parentSessionKey",
  "spawnedWorkspaceDir",
  "spawnDepth",
  "spawnLineage",
  "subagentRole",
  "subagentControlScope",
  "subagentPrompt",
] as const satisfies readonly (keyof SessionEntry)[];

/** The record that takes a session's place at a reset: a new id and file; what belongs to the person and the place stays. */
export function reopenSessionEntry(
  old: SessionEntry,
  opening: Pick<SessionOpening, "key" | "sessionId" | "now">,
): SessionEntry {
  const entry = { ...openSessionEntry(opening), lastInteractionAt: opening.now };
  for (const field of KEPT_FIELDS) if (old[field] !== undefined) Reflect.set(entry, field, old[field]);
  return entry;
}
