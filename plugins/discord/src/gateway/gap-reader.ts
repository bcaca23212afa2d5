/**
 * Reads by REST what was said while nobody listened: the channels whose newest message is younger than the gap's
 * beginning, oldest first, in pages. What was heard all the same is known to the store by its id.
 */
import type { InboundMessage } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { MessagePlace } from "../inbound/message-place.ts";
import { type ChannelRecord, holdsMessages, parseChannel } from "../places/channel-record.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { buildSnowflake, compareSnowflakes, isSnowflake, readSnowflakeTime } from "../snowflake.ts";

export interface GapReader {
  /** Reads the channels of a guild one after the other; `take` is awaited for each page. */
  readGuild(gap: GuildGap, take: TakePage): Promise<void>;
  /** Reads the direct chats that are known. */
  readDms(from: string, dms: readonly string[], take: TakePage): Promise<void>;
}

export interface GuildGap {
  readonly guildId: string;
  /** The id above which messages are missing. */
  readonly from: string;
  /** As GUILD_CREATE tells them; absent: they are asked for. */
  readonly channels?: readonly ChannelRecord[];
}

export type TakePage = (messages: readonly InboundMessage[]) => Promise<void>;

export interface GapReaderOptions {
  readonly api: DiscordApi;
  /** A message as the gateway would have brought it; `undefined` for what is nothing for anybody. */
  readonly translate: (payload: object, place: MessagePlace) => InboundMessage | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Discord documentation, "Get Channel Messages": the most in one answer. */
const PAGE = 100;
/** Longer ago nobody waits for an answer any more; the host leaves out older ones sooner, as it is configured. */
const LONGEST_GAP_MS = 7 * 24 * 3_600_000;
/** Messages that came in another order than their ids say were less than this apart. */
const SLACK_MS = 60_000;
/** Of one channel, so that a busy one does not keep all others waiting for ever. */
const MOST_PAGES = 50;

const page = z.array(z.looseObject({ id: z.string().refine(isSnowflake) }));
const member = z.looseObject({});
const channelList = z.array(z.unknown());
const threadList = z.object({ threads: z.array(z.unknown()).default([]) });
const author = z.looseObject({ author: z.looseObject({ id: z.string(), bot: z.boolean().nullish() }) });

export function createGapReader({ api, translate, now }: GapReaderOptions): GapReader {
  async function readChannel(record: ChannelRecord, from: string, take: TakePage): Promise<void> {
    const { channelId } = record.place;
    const members = new Map<string, object | undefined>();
    let after = from;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await api.find({
        method: "get",
        route: `/channels/${channelId}/messages`,
        query: { after, limit: String(PAGE) },
        attempt: `Reading what was said in Discord channel ${channelId}`,
      });
      const found = page.safeParse(answer).data ?? [];
      const payloads = found.toSorted((one, other) => compareSnowflakes(one.id, other.id));
      const messages: InboundMessage[] = [];
      for (const payload of payloads) {
        const message = translate(await complete(payload, record.place, members), record.place);
        if (message !== undefined) messages.push(message);
      }
      await take(messages);
      const last = payloads.at(-1);
      if (last === undefined || found.length < PAGE) return;
      after = last.id;
    }
  }

  /** REST leaves out what the gateway tells of a message's guild and its author's roles there. */
  async function complete(
    payload: object,
    place: MessagePlace,
    members: Map<string, object | undefined>,
  ): Promise<object> {
    if (place.kind === "dm") return payload;
    const read = author.safeParse(payload).data?.author;
    if (read === undefined || read.bot === true) return { ...payload, guild_id: place.guildId };
    if (!members.has(read.id)) {
      const answer = await api.find({
        method: "get",
        route: `/guilds/${place.guildId}/members/${read.id}`,
        attempt: `Looking at a member of Discord server ${place.guildId}`,
      });
      members.set(read.id, member.safeParse(answer).data);
    }
    return { ...payload, guild_id: place.guildId, member: members.get(read.id) };
  }

  async function listChannels(guildId: string): Promise<readonly ChannelRecord[]> {
    const attempt = `Looking for what was said in Discord server ${guildId}`;
    const [channels, threads] = await Promise.all([
      api.find({ method: "get", route: `/guilds/${guildId}/channels`, attempt }),
      api.find({ method: "get", route: `/guilds/${guildId}/threads/active`, attempt }),
    ]);
    const all = [
      ...(channelList.safeParse(channels).data ?? []),
      ...(threadList.safeParse(threads).data?.threads ?? []),
    ];
    return all.map((one) => parseChannel(one, guildId)).filter((one) => one !== undefined);
  }

  /** No earlier than what anybody still waits for. */
  function limitFrom(from: string): string {
    const earliest = now() - LONGEST_GAP_MS;
    const since = readSnowflakeTime(from) - SLACK_MS;
    return buildSnowflake(Math.max(earliest, since));
  }

  return {
    async readGuild({ guildId, from, channels }, take) {
      const since = limitFrom(from);
      for (const record of channels ?? (await listChannels(guildId)))
        if (hasNewer(record, since)) await readChannel(record, since, take);
    },
    async readDms(from, dms, take) {
      const since = limitFrom(from);
      for (const channelId of dms) {
        const record = await api.findChannel(channelId);
        if (record !== undefined && hasNewer(record, since)) await readChannel(record, since, take);
      }
    },
  };
}

function hasNewer(record: ChannelRecord, since: string): boolean {
  const { lastMessageId } = record;
  return holdsMessages(record) && lastMessageId !== undefined && compareSnowflakes(lastMessageId, since) > 0;
}
