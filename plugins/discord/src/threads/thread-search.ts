/** Finds what was begun for a thread and not written down: by the mark in its first words. Discord has no key for it. */
import { z } from "zod";
import type { DiscordApi } from "../rest/discord-api.ts";
import { compareSnowflakes, isSnowflake } from "../snowflake.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";

export interface ThreadSearch {
  /** The own message in a channel that a thread was, or is to be, opened from. */
  findStarter(
    channelId: string,
    mark: string,
  ): Promise<{ readonly id: string; readonly hasThread: boolean } | undefined>;
  /** The own thread below a channel that begins with the mark, where it was opened without a message of the channel. */
  findThread(parent: Pick<ThreadFacts, "id" | "guildId">, mark: string): Promise<ThreadFacts | undefined>;
  /** The own threads of a guild that are open, those first in which nothing was said for longest. */
  listOwn(guildId: string): Promise<readonly ThreadFacts[]>;
}

/** An opening that was cut off is not older than this many messages of its channel. */
const RECENT = 100;
/** Threads that were made lately are looked into; each costs a call. */
const MOST_LOOKED_INTO = 20;

const id = z.string().refine(isSnowflake);
const messages = z.array(
  z.looseObject({
    id,
    content: z.string().default(""),
    author: z.looseObject({ id: z.string() }),
    thread: z.looseObject({ id }).nullish(),
  }),
);
const threadList = z.object({ threads: z.array(z.unknown()) });

export function createThreadSearch({ api, botId }: { readonly api: DiscordApi; readonly botId: string }): ThreadSearch {
  async function readMessages(channelId: string, query: Readonly<Record<string, string>>) {
    const answer = await api.find({
      method: "get",
      route: `/channels/${channelId}/messages`,
      query,
      attempt: `Looking for a thread's beginning in Discord channel ${channelId}`,
      context: { needs: ["Read Message History"] },
    });
    return (messages.safeParse(answer).data ?? []).filter(({ author }) => author.id === botId);
  }

  async function listOwn(guildId: string): Promise<readonly ThreadFacts[]> {
    const answer = await api.find({
      method: "get",
      route: `/guilds/${guildId}/threads/active`,
      attempt: `Looking for the own threads of Discord server ${guildId}`,
    });
    return (threadList.safeParse(answer).data?.threads ?? [])
      .map(parseThreadFacts)
      .filter((thread) => thread !== undefined)
      .filter(({ ownerId }) => ownerId === botId)
      .toSorted((one, other) => compareSnowflakes(one.lastMessageId ?? one.id, other.lastMessageId ?? other.id));
  }

  return {
    listOwn,
    async findStarter(channelId, mark) {
      const recent = await readMessages(channelId, { limit: String(RECENT) });
      const found = recent.find(({ content }) => content.includes(`\`${mark}\``));
      return found && { id: found.id, hasThread: found.thread !== undefined && found.thread !== null };
    },
    async findThread({ id: parentId, guildId }, mark) {
      if (guildId === undefined) return undefined;
      const own = (await listOwn(guildId)).filter((thread) => thread.parentId === parentId);
      const newest = own.toSorted((one, other) => compareSnowflakes(other.id, one.id)).slice(0, MOST_LOOKED_INTO);
      for (const thread of newest) {
        const first = await readMessages(thread.id, { after: "0", limit: "5" });
        if (first.some(({ content }) => content.endsWith(`-# ${mark}`))) return thread;
      }
      return undefined;
    },
  };
}
