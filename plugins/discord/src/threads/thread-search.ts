/** Finds what was begun for a thread and not written down: by the mark in its first words. Discord has no key for it. */
import { z } from "zod";
import type { DiscordApi } from "../rest/discord-api.ts";
import { compareSnowflakes, isSnowflake } from "../snowflake.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";

export interface ThreadSearch {
  /**
   * The own message in a channel that a thread was, or is to be, opened from. `lately`: an opening that goes on at once; any
   * time: one that another life has cut off.
   */
  findStarter(
    channelId: string,
    mark: string,
    when: "lately" | "any time",
  ): Promise<{ readonly id: string; readonly hasThread: boolean } | undefined>;
  /** The own threads below a channel that were opened without a message of it, as far as an opening goes on with them. */
  findThreads(parent: Pick<ThreadFacts, "id" | "guildId">, mark: string): Promise<FoundThreads>;
  /** Whether the first messages of a thread, or the last one, are these own words. */
  hasSaid(threadId: string, content: string, when: "first" | "last"): Promise<boolean>;
  /** The own threads of a guild that are open, those first in which nothing was said for longest. */
  listOwn(guildId: string): Promise<readonly ThreadFacts[]>;
}

export interface FoundThreads {
  /** It begins with the mark. */
  readonly marked?: ThreadFacts;
  /** Private ones in which nothing was said: their openings were cut off. */
  readonly empty: readonly ThreadFacts[];
}

const PRIVATE_THREAD = 12;
/** Discord documentation, "Get Channel Messages": the most in one answer. */
const PAGE = 100;
/** One call for each opening; as many as a lost message is looked for with, where one has to be taken back. */
const MOST_PAGES = { lately: 1, "any time": 20 } as const;
/** Threads that were made lately are looked into; each costs a call. */
const MOST_LOOKED_INTO = 20;

const FIRST = { after: "0", limit: "5" } as const;

const id = z.string().refine(isSnowflake);
const messages = z.array(
  z.looseObject({
    id,
    content: z.string().default(""),
    author: z.looseObject({ id: z.string() }),
    thread: z.looseObject({ id }).nullish(),
  }),
);
type Said = z.infer<typeof messages>[number];
const threadList = z.object({ threads: z.array(z.unknown()) });

export function createThreadSearch({ api, botId }: { readonly api: DiscordApi; readonly botId: string }): ThreadSearch {
  async function readMessages(channelId: string, query: Readonly<Record<string, string>>): Promise<readonly Said[]> {
    const answer = await api.find({
      method: "get",
      route: `/channels/${channelId}/messages`,
      query,
      attempt: `Looking for a thread's beginning in Discord channel ${channelId}`,
      context: { needs: ["Read Message History"] },
    });
    return messages.safeParse(answer).data ?? [];
  }

  async function readOwn(channelId: string, query: Readonly<Record<string, string>>): Promise<readonly Said[]> {
    return (await readMessages(channelId, query)).filter(({ author }) => author.id === botId);
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
    async findStarter(channelId, mark, when) {
      let before: string | undefined;
      for (let pages = 0; pages < MOST_PAGES[when]; pages += 1) {
        const said = await readMessages(channelId, { limit: String(PAGE), ...(before !== undefined && { before }) });
        const found = said.find(({ author, content }) => author.id === botId && content.includes(`\`${mark}\``));
        if (found !== undefined) return { id: found.id, hasThread: (found.thread ?? undefined) !== undefined };
        before = said.map((one) => one.id).toSorted(compareSnowflakes)[0];
        if (before === undefined || said.length < PAGE) break;
      }
      return undefined;
    },
    async findThreads({ id: parentId, guildId }, mark) {
      const empty: ThreadFacts[] = [];
      if (guildId === undefined) return { empty };
      const own = (await listOwn(guildId)).filter((thread) => thread.parentId === parentId);
      const newest = own.toSorted((one, other) => compareSnowflakes(other.id, one.id)).slice(0, MOST_LOOKED_INTO);
      for (const thread of newest) {
        const first = await readOwn(thread.id, FIRST);
        if (first.some(({ content }) => content.endsWith(`-# ${mark}`))) return { marked: thread, empty };
        if (first.length === 0 && thread.type === PRIVATE_THREAD) empty.push(thread);
      }
      return { empty };
    },
    async hasSaid(threadId, content, when) {
      const said = await (when === "first" ? readOwn(threadId, FIRST) : readMessages(threadId, { limit: "5" }));
      // What Discord writes by itself, such as a new name, has other words or none, and is not the bot's in any case.
      const looked = when === "first" ? said : said.filter((one) => one.content !== "").slice(0, 1);
      return looked.some((one) => one.author.id === botId && one.content.trim() === content.trim());
    },
  };
}
