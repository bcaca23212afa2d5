/** What is kept of a channel: little, since a bot may see tens of thousands. */
import { z } from "zod";
import type { MessagePlace } from "../inbound/message-place.ts";
import { isSnowflake } from "../snowflake.ts";

export interface ChannelRecord {
  readonly place: MessagePlace;
  /** Of all messages that ever stood there, the newest one's id; deleted ones count. */
  readonly lastMessageId?: string;
  /** Discord documentation, "Channel Resource": the number of the channel's type. */
  readonly type: number;
}

const id = z.string().refine(isSnowflake);
const channel = z.object({
  id,
  type: z.number().int(),
  guild_id: id.nullish(),
  parent_id: id.nullish(),
  last_message_id: id.nullish(),
});

/** Public and private threads, and those of an announcement channel ("Channel Resource": channel types). */
const THREAD_TYPES: ReadonlySet<number> = new Set([10, 11, 12]);
const DM_TYPES: ReadonlySet<number> = new Set([1, 3]);
/** Text, voice, announcement and stage channels; the others hold threads or nothing. */
const MESSAGE_TYPES: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 10, 11, 12, 13]);

/** Text and announcement channels, forums and media channels. */
const THREADED_TYPES: ReadonlySet<number> = new Set([0, 5, 15, 16]);
const TEXT_TYPE = 0;

/** Threads that hold posts alone: nothing can be written into the channel itself. */
export const FORUM_TYPES: ReadonlySet<number> = new Set([15, 16]);

/** `undefined` for what is no channel. `guildId` where the channel itself does not say it, as in GUILD_CREATE. */
export function parseChannel(value: unknown, guildId?: string): ChannelRecord | undefined {
  const read = channel.safeParse(value);
  if (!read.success) return undefined;
  const { id: channelId, type, parent_id: parentId, last_message_id: lastMessageId } = read.data;
  const guild = read.data.guild_id ?? guildId;
  const place = buildPlace(channelId, type, guild ?? undefined, parentId ?? undefined);
  if (place === undefined) return undefined;
  return { place, type, ...(typeof lastMessageId === "string" && { lastMessageId }) };
}

export function holdsMessages({ type }: ChannelRecord): boolean {
  return MESSAGE_TYPES.has(type);
}

export function holdsThreads({ type }: ChannelRecord): boolean {
  return THREADED_TYPES.has(type);
}

/** Discord documentation, "Threads": private ones hang below text channels alone. */
export function holdsPrivateThreads({ type }: ChannelRecord): boolean {
  return type === TEXT_TYPE;
}

function buildPlace(
  channelId: string,
  type: number,
  guildId: string | undefined,
  parentId: string | undefined,
): MessagePlace | undefined {
  if (DM_TYPES.has(type)) return { kind: "dm", channelId };
  if (guildId === undefined) return undefined;
  if (THREAD_TYPES.has(type) && parentId !== undefined) return { kind: "thread", channelId, parentId, guildId };
  return { kind: "channel", channelId, guildId };
}
