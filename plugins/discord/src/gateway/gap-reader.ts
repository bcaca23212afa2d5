/**
 * Reads by REST what was said while nobody listened: the channels whose newest message is younger than the gap's
 * beginning, oldest first, in pages. What was heard all the same is known to the store by its id.
 */
import type { InboundMessage, Log } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { MessagePlace } from "../inbound/message-place.ts";
import { type ChannelRecord, holdsMessages } from "../places/channel-record.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { buildSnowflake, compareSnowflakes, isSnowflake, readSnowflakeTime } from "../snowflake.ts";
import { ArchiveReader } from "./archive-reader.ts";

export interface GapStart {
  /** The id above which messages are missing. */
  readonly from: string;
  /** Nothing below it is read. */
  readonly since?: string;
}

export interface GuildGap extends GapStart {
  /** As GUILD_CREATE tells them. */
  readonly channels: readonly ChannelRecord[];
}

export type TakePage = (messages: readonly InboundMessage[]) => Promise<void>;

export interface GapReaderOptions {
  readonly api: DiscordApi;
  /** A message as the gateway would have brought it; `undefined` for what is nothing for anybody. */
  readonly translate: (payload: object, place: MessagePlace) => Promise<InboundMessage | undefined>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
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
const author = z.looseObject({ author: z.looseObject({ id: z.string(), bot: z.boolean().nullish() }) });

export class GapReader {
  readonly #options: GapReaderOptions;
  readonly #archive: ArchiveReader;

  constructor(options: GapReaderOptions) {
    this.#options = options;
    this.#archive = new ArchiveReader(options);
  }

  /** Reads the channels of a guild one after the other, then archived threads; `take` is awaited for each page. */
  async readGuild({ channels, ...start }: GuildGap, take: TakePage): Promise<void> {
    const since = this.#limit(start);
    for (const record of channels) if (hasNewer(record, since)) await this.#readChannel(record, since, take);
    for (const record of await this.#archive.list({ channels, since }))
      if (hasNewer(record, since)) await this.#readChannel(record, since, take);
  }

  /** Reads the direct chats that are known. */
  async readDms({ dms, ...start }: GapStart & { readonly dms: readonly string[] }, take: TakePage): Promise<void> {
    const since = this.#limit(start);
    for (const channelId of dms) {
      const record = await this.#options.api.findChannel(channelId);
      if (record !== undefined && hasNewer(record, since)) await this.#readChannel(record, since, take);
    }
  }

  async #readChannel({ place }: ChannelRecord, from: string, take: TakePage): Promise<void> {
    const members = new Map<string, object | undefined>();
    let after = from;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await this.#options.api.look({
        method: "get",
        route: `/channels/${place.channelId}/messages`,
        query: { after, limit: String(PAGE) },
        attempt: `Reading what was said in Discord channel ${place.channelId}`,
      });
      const found = page.safeParse(answer).data ?? [];
      const payloads = found.toSorted((one, other) => compareSnowflakes(one.id, other.id));
      const messages: InboundMessage[] = [];
      for (const payload of payloads) {
        const message = await this.#options.translate(await this.#complete(payload, place, members), place);
        if (message !== undefined) messages.push(message);
      }
      await take(messages);
      const last = payloads.at(-1);
      if (last === undefined || found.length < PAGE) return;
      after = last.id;
    }
    const { channelId } = place;
    this.#options.log.warn(
      { channelId, read: MOST_PAGES * PAGE },
      "Discord: of what was said while nobody listened the rest is left out",
    );
  }

  /** REST leaves out what the gateway tells of a message's guild and its author's roles there. */
  async #complete(payload: object, place: MessagePlace, members: Map<string, object | undefined>): Promise<object> {
    if (place.kind === "dm") return payload;
    const read = author.safeParse(payload).data?.author;
    if (read === undefined || read.bot === true) return { ...payload, guild_id: place.guildId };
    if (!members.has(read.id)) {
      const answer = await this.#options.api.look({
        method: "get",
        route: `/guilds/${place.guildId}/members/${read.id}`,
        attempt: `Looking at a member of Discord server ${place.guildId}`,
      });
      members.set(read.id, member.safeParse(answer).data);
    }
    return { ...payload, guild_id: place.guildId, member: members.get(read.id) };
  }

  /** No earlier than what anybody still waits for. */
  #limit({ from, since }: GapStart): string {
    const earliest = this.#options.now() - LONGEST_GAP_MS;
    const limited = buildSnowflake(Math.max(earliest, readSnowflakeTime(from) - SLACK_MS));
    return since !== undefined && compareSnowflakes(since, limited) > 0 ? since : limited;
  }
}

function hasNewer(record: ChannelRecord, since: string): boolean {
  const { lastMessageId } = record;
  return holdsMessages(record) && lastMessageId !== undefined && compareSnowflakes(lastMessageId, since) > 0;
}
