/**
 * Finds the threads that Discord archived while nobody listened. GUILD_CREATE tells of the active ones alone (D55), and
 * what somebody wrote into one of the others was heard by nobody either.
 */
import { z } from "zod";
import { type ChannelRecord, holdsPrivateThreads, holdsThreads, parseChannel } from "../places/channel-record.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { readSnowflakeTime } from "../snowflake.ts";

/**
 * Discord archives a thread after a quiet hour at the earliest ("Threads": `auto_archive_duration`), so that after a
 * shorter gap all of them are still active; half of it leaves room for a clock that is wrong.
 */
const SHORTEST_GAP_MS = 30 * 60_000;
/** Discord documentation, "List Public Archived Threads": the most in one answer. */
const PAGE = 100;
/** Of one channel. */
const MOST_PAGES = 10;

const page = z.looseObject({ threads: z.array(z.unknown()), has_more: z.boolean() });
const archived = z.looseObject({ id: z.string(), thread_metadata: z.looseObject({ archive_timestamp: z.string() }) });

export interface ArchiveQuery {
  /** All channels of one server. */
  readonly channels: readonly ChannelRecord[];
  /** The id of the gap's beginning. */
  readonly since: string;
}

export interface ArchiveReaderOptions {
  readonly api: DiscordApi;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export class ArchiveReader {
  readonly #options: ArchiveReaderOptions;

  constructor(options: ArchiveReaderOptions) {
    this.#options = options;
  }

  /** Of private threads those that the bot is in. A channel that it may not read has none. */
  async list({ channels, since }: ArchiveQuery): Promise<readonly ChannelRecord[]> {
    const sinceMs = readSnowflakeTime(since);
    if (this.#options.now() - sinceMs < SHORTEST_GAP_MS) return [];
    const found: ChannelRecord[] = [];
    for (const channel of channels) {
      const { channelId } = channel.place;
      if (holdsThreads(channel)) found.push(...(await this.#listPublic(channelId, sinceMs)));
      if (holdsPrivateThreads(channel)) found.push(...(await this.#listPrivate(channelId)));
    }
    return found;
  }

  /** Those that were archived last come first. */
  async #listPublic(channelId: string, sinceMs: number): Promise<readonly ChannelRecord[]> {
    return this.#collect(channelId, "threads/archived/public", (last) => {
      const at = last.thread_metadata.archive_timestamp;
      return Date.parse(at) > sinceMs ? at : undefined;
    });
  }

  /** The youngest come first, however long ago they were archived. */
  async #listPrivate(channelId: string): Promise<readonly ChannelRecord[]> {
    return this.#collect(channelId, "users/@me/threads/archived/private", ({ id }) => id);
  }

  /** `readNext` is asked for what the page after this thread is called. */
  async #collect(
    channelId: string,
    list: string,
    readNext: (last: z.infer<typeof archived>) => string | undefined,
  ): Promise<readonly ChannelRecord[]> {
    const found: ChannelRecord[] = [];
    let before: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await this.#options.api.look({
        method: "get",
        route: `/channels/${channelId}/${list}`,
        query: { limit: String(PAGE), ...(before !== undefined && { before }) },
        attempt: `Looking for archived threads of Discord channel ${channelId}`,
      });
      const { threads, has_more: hasMore } = page.safeParse(answer).data ?? { threads: [], has_more: false };
      found.push(...threads.map((thread) => parseChannel(thread)).filter((record) => record !== undefined));
      const last = archived.safeParse(threads.at(-1)).data;
      before = hasMore && last !== undefined ? readNext(last) : undefined;
      if (before === undefined) break;
    }
    return found;
  }
}
