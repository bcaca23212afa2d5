/**
 * Opens a thread for a sub-agent, so that opening it again gives the same one:
 *   text channel, public    a starter message (by its nonce, or found by its mark), then a thread from it
 *   text channel, private   a thread that has no starter; found by the mark in its first message
 *   forum                   a post, found in the same way
 */
import { type Address, ChannelError } from "@banyan/plugin-sdk";
import { type DiscordConfig, resolveArchiveMinutes } from "../discord-config.ts";
import type { CallContext } from "../discord-fault.ts";
import { formatPlaceAddress } from "../inbound/message-place.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { FORUM_TYPES } from "../places/channel-record.ts";
import { parsePlace } from "../places/place.ts";
import { type Attempted, type DiscordApi, readId } from "../rest/discord-api.ts";
import { buildMessageBody, NO_MENTIONS } from "../sending/message-body.ts";
import { buildNonce } from "../sending/nonce.ts";
import { isSnowflake } from "../snowflake.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";
import { PRIVATE_THREAD } from "./thread-fates.ts";
import { buildThreadMark, formatMarkedHello, formatStarter, limitName } from "./thread-mark.ts";
import type { ThreadSearch } from "./thread-search.ts";

export interface ThreadOpening {
  readonly bindingId: string;
  readonly parent: Address;
  readonly name: string;
  readonly hello: string;
  /** Who asked, to be let in where the thread is private. */
  readonly askedBy?: string;
}

export interface ThreadOpenerOptions {
  readonly account: string;
  readonly api: DiscordApi;
  readonly search: ThreadSearch;
  /** One piece of work after the other: a private thread is empty then only where its opening was cut off. */
  readonly inLine: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly config: Pick<DiscordConfig, "threadType" | "threadArchiveMinutes">;
}

const TEXT_CHANNEL = 0;
/** A thread stands on the message already. */
const EXISTS = "D24";
const TOO_MANY = "D25";
const TAG_REQUIRED = "D28";

export class ThreadOpener {
  readonly #options: ThreadOpenerOptions;

  constructor(options: ThreadOpenerOptions) {
    this.#options = options;
  }

  async open(opening: ThreadOpening): Promise<{ address: Address }> {
    const { api, account, config } = this.#options;
    const { parentId, isDm } = parsePlace(opening.parent);
    if (isDm) {
      const cure = "leave the thread out, or ask in a channel of a server";
      throw new ChannelError("permanent", `Opening a Discord thread: direct messages have none; ${cure}`);
    }
    const attempt = `Opening a thread in Discord channel ${parentId}`;
    const parent = parseThreadFacts(await api.call({ method: "get", route: `/channels/${parentId}`, attempt }));
    if (parent?.guildId === undefined) throw unreadable();
    const isPrivate =
      parent.type === TEXT_CHANNEL && (config.threadType === "private" || (await this.#isFromPrivate(opening.parent)));
    const threadId = FORUM_TYPES.has(parent.type)
      ? await this.#openPost(parent, opening)
      : isPrivate
        ? await this.#options.inLine(() => this.#openPrivate(parent, opening))
        : await this.#openFromStarter(parent, opening);
    const place = { kind: "thread", channelId: threadId, parentId, guildId: parent.guildId } as const;
    return { address: formatPlaceAddress(account, place) };
  }

  /** What is asked in a private thread is not for all who see its channel. */
  async #isFromPrivate(asked: Address): Promise<boolean> {
    const { channelId, isThread } = parsePlace(asked);
    if (!isThread) return false;
    const attempt = `Looking at Discord thread ${channelId}`;
    const context: CallContext = { isInThread: true };
    const thread = await this.#options.api.call({ method: "get", route: `/channels/${channelId}`, attempt, context });
    return parseThreadFacts(thread)?.type === PRIVATE_THREAD;
  }

  async #openFromStarter(parent: ThreadFacts, opening: ThreadOpening): Promise<string> {
    const mark = buildThreadMark(opening.bindingId);
    const known = await this.#options.search.findStarter(parent.id, mark, "lately");
    const starter = known?.id ?? (await this.#sendStarter(parent, opening, mark));
    const route = `/channels/${parent.id}/messages/${starter}/threads` as const;
    const tried = await this.#make(parent.guildId, route, this.#describe(opening), "Create Public Threads");
    // A thread has the id of the message that it stands on.
    if ("error" in tried && tried.fault.row !== EXISTS) throw tried.error;
    const content = renderMarkdown(opening.hello);
    const isGreeted = "error" in tried && (await this.#options.search.hasSaid(starter, content, "first"));
    if (!isGreeted) await this.#sayHello(starter, opening.bindingId, content);
    return starter;
  }

  async #sendStarter(parent: ThreadFacts, opening: ThreadOpening, mark: string): Promise<string> {
    const content = formatStarter(limitName(opening.name), mark);
    const answer = await this.#options.api.call({
      method: "post",
      route: `/channels/${parent.id}/messages`,
      body: buildMessageBody({ content, nonce: buildNonce(opening.bindingId, "starter") }),
      attempt: `Opening a thread in Discord channel ${parent.id}`,
      context: { needs: ["View Channel", "Send Messages", "Create Public Threads", "Send Messages in Threads"] },
    });
    return readId(answer, unreadable);
  }

  async #openPrivate(parent: ThreadFacts, opening: ThreadOpening): Promise<string> {
    const mark = buildThreadMark(opening.bindingId);
    const { marked, empty } = await this.#options.search.findThreads(parent, mark);
    if (marked !== undefined) return marked.id;
    const begun = empty.find(({ name }) => name === limitName(opening.name));
    const body = { ...this.#describe(opening), type: PRIVATE_THREAD, invitable: false };
    const route = `/channels/${parent.id}/threads` as const;
    const threadId = begun?.id ?? readMade(await this.#make(parent.guildId, route, body, "Create Private Threads"));
    await this.#letIn(threadId, opening.askedBy);
    await this.#sayHello(threadId, opening.bindingId, formatMarkedHello(renderMarkdown(opening.hello), mark));
    return threadId;
  }

  async #letIn(threadId: string, userId: string | undefined): Promise<void> {
    if (userId === undefined || !isSnowflake(userId)) return;
    const route = `/channels/${threadId}/thread-members/${userId}` as const;
    const context: CallContext = { isInThread: true, needs: ["Send Messages in Threads"] };
    // Whoever has left the server meanwhile is not missed.
    await this.#options.api.find({ method: "put", route, attempt: `Adding a member to a Discord thread`, context });
  }

  async #openPost(forum: ThreadFacts, opening: ThreadOpening): Promise<string> {
    const mark = buildThreadMark(opening.bindingId);
    const { marked } = await this.#options.search.findThreads(forum, mark);
    if (marked !== undefined) return marked.id;
    const tag = forum.tags.find(({ isModerated }) => !isModerated) ?? forum.tags[0];
    const message = { content: formatMarkedHello(renderMarkdown(opening.hello), mark), allowed_mentions: NO_MENTIONS };
    const body = { ...this.#describe(opening), message };
    const tagged = { ...body, applied_tags: tag === undefined ? [] : [tag.id] };
    const route = `/channels/${forum.id}/threads` as const;
    const tried = await this.#make(forum.guildId, route, forum.requiresTag ? tagged : body, "Create Posts");
    const isUntagged = "error" in tried && tried.fault.row === TAG_REQUIRED && !forum.requiresTag;
    return readMade(isUntagged ? await this.#make(forum.guildId, route, tagged, "Create Posts") : tried);
  }

  #describe({ name }: ThreadOpening): object {
    const minutes = resolveArchiveMinutes(this.#options.config.threadArchiveMinutes);
    return { name: limitName(name), auto_archive_duration: minutes };
  }

  /** One call that makes a thread. Where the server has too many, the own one that is quiet for longest makes room. */
  async #make(guildId: string | undefined, route: `/${string}`, body: object, permission: string): Promise<Attempted> {
    const { api, search } = this.#options;
    const context: CallContext = { needs: ["View Channel", permission, "Send Messages in Threads"] };
    const call = { method: "post", route, body, attempt: "Opening a Discord thread", context } as const;
    const tried = await api.attempt(call);
    if (!("error" in tried) || tried.fault.row !== TOO_MANY || guildId === undefined) return tried;
    const [quietest] = await search.listOwn(guildId);
    if (quietest === undefined) return tried;
    await api.call({
      method: "patch",
      route: `/channels/${quietest.id}`,
      body: { archived: true },
      attempt: `Archiving the Discord thread ${quietest.id} to make room`,
    });
    return api.attempt(call);
  }

  async #sayHello(threadId: string, bindingId: string, content: string): Promise<void> {
    await this.#options.api.call({
      method: "post",
      route: `/channels/${threadId}/messages`,
      body: buildMessageBody({ content, nonce: buildNonce(bindingId, "hello") }),
      attempt: `Saying hello in Discord thread ${threadId}`,
      context: { isInThread: true, needs: ["Send Messages in Threads"] },
    });
  }
}

function readMade(tried: Attempted): string {
  if ("error" in tried) throw tried.error;
  return readId(tried.answer, unreadable);
}

function unreadable(): ChannelError {
  return new ChannelError("ambiguous", "Opening a Discord thread: the answer names none; check apiBaseUrl");
}
