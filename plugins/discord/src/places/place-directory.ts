import { type MessagePlace, readGuild } from "../inbound/message-place.ts";
import { type ChannelRecord, FORUM_TYPES } from "./channel-record.ts";

/** What is known of channels and guilds, from the gateway's events; what is not is asked for. */
export interface PlaceDirectory {
  /** `guildId` absent: a direct chat, unless it is known as another. Resolves with a plain channel where Discord does not let the bot look. */
  find(channelId: string, guildId: string | undefined): Promise<MessagePlace>;
  /** What is known of a channel or can be asked for; `undefined` where there is none for the bot. */
  lookUp(channelId: string): Promise<MessagePlace | undefined>;
  /** The threads that are known below a channel. */
  listThreads(parentId: string): readonly MessagePlace[];
  /** The channels and threads that are known of a guild. */
  listGuild(guildId: string): readonly MessagePlace[];
  /** Whether the channel is known to be a forum, which takes posts alone. */
  isForum(channelId: string): boolean;
  note(record: ChannelRecord): void;
  forget(channelId: string): void;
  /** The roles that Discord made for the bot, one in a guild, by which it may be mentioned. */
  readonly roleIds: ReadonlySet<string>;
  noteRole(roleId: string): void;
}

export interface PlaceDirectoryOptions {
  /** `undefined` where there is no such channel for the bot; rejects where nobody knows. */
  readonly read: (channelId: string) => Promise<ChannelRecord | undefined>;
}

/** About 200 bytes each; the ones that were told of longest ago go first and are asked for again. */
const MOST_CHANNELS = 20_000;

export function createPlaceDirectory({ read }: PlaceDirectoryOptions): PlaceDirectory {
  const channels = new Map<string, MessagePlace>();
  const forums = new Set<string>();
  const roleIds = new Set<string>();

  function keep(place: MessagePlace): void {
    channels.delete(place.channelId);
    channels.set(place.channelId, place);
    if (channels.size > MOST_CHANNELS) for (const oldest of channels.keys()) return void channels.delete(oldest);
  }

  async function lookUp(channelId: string): Promise<MessagePlace | undefined> {
    const known = channels.get(channelId);
    if (known !== undefined) return known;
    const place = (await read(channelId))?.place;
    if (place !== undefined) keep(place);
    return place;
  }

  return {
    roleIds,
    lookUp,
    async find(channelId, guildId) {
      // An edit need not say its guild ("Message Update": a subset of the fields).
      if (guildId === undefined) return channels.get(channelId) ?? { kind: "dm", channelId };
      const place = await lookUp(channelId);
      if (place !== undefined) return place;
      const unseen = { kind: "channel", channelId, guildId } as const;
      keep(unseen);
      return unseen;
    },
    listThreads: (parentId) =>
      [...channels.values()].filter((place) => place.kind === "thread" && place.parentId === parentId),
    listGuild: (guildId) => [...channels.values()].filter((place) => readGuild(place) === guildId),
    isForum: (channelId) => forums.has(channelId),
    note({ place, type }) {
      keep(place);
      if (FORUM_TYPES.has(type) && forums.size < MOST_CHANNELS) forums.add(place.channelId);
    },
    forget: (channelId) => void channels.delete(channelId),
    noteRole: (roleId) => void roleIds.add(roleId),
  };
}
