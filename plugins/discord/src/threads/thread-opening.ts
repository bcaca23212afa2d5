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
import { FORUM_TYPES } from "../places/channel-record.ts";
import { parsePlace } from "../places/place.ts";
import { type DiscordApi, readId } from "../rest/discord-api.ts";
import { buildMessageBody, NO_MENTIONS } from "../sending/message-body.ts";
import { buildNonce } from "../sending/nonce.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";
import { buildThreadMark, formatMarkedHello, formatStarter, limitName } from "./thread-mark.ts";
import type { ThreadSearch } from "./thread-search.ts";

export interface ThreadOpening {
  readonly bindingId: string;
  readonly parent: Address;
  readonly name: string;
  readonly hello: string;
}

export interface ThreadOpener {
  open(opening: ThreadOpening): Promise<{ address: Address }>;
}

export interface ThreadOpenerOptions {
  readonly account: string;
  readonly api: DiscordApi;
  readonly search: ThreadSearch;
  readonly config: Pick<DiscordConfig, "threadType" | "threadArchiveMinutes">;
}

const PRIVATE_THREAD = 12;
const TEXT_CHANNEL = 0;
/** A thread stands on the message already. */
const EXISTS = "D24";
const TOO_MANY = "D25";
const TAG_REQUIRED = "D28";

export function createThreadOpener({ account, api, search, config }: ThreadOpenerOptions): ThreadOpener {
  const auto_archive_duration = resolveArchiveMinutes(config.threadArchiveMinutes);

  /** One call that makes a thread. Where the server has too many, the own one that is quiet for longest makes room. */
  async function make(guildId: string | undefined, route: `/${string}`, body: object, permission: string) {
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

  async function openFromStarter(parent: ThreadFacts, opening: ThreadOpening, mark: string): Promise<string> {
    const starter = (await search.findStarter(parent.id, mark))?.id ?? (await sendStarter(parent, opening, mark));
    const body = { name: limitName(opening.name), auto_archive_duration };
    const route = `/channels/${parent.id}/messages/${starter}/threads` as const;
    const tried = await make(parent.guildId, route, body, "Create Public Threads");
    // A thread has the id of the message that it stands on.
    if ("error" in tried && tried.fault.row !== EXISTS) throw tried.error;
    await sendHello(starter, opening);
    return starter;
  }

  async function sendStarter(parent: ThreadFacts, opening: ThreadOpening, mark: string): Promise<string> {
    const content = formatStarter(limitName(opening.name), mark);
    const answer = await api.call({
      method: "post",
      route: `/channels/${parent.id}/messages`,
      body: buildMessageBody({ content, nonce: buildNonce(opening.bindingId, "starter") }),
      attempt: `Opening a thread in Discord channel ${parent.id}`,
      context: { needs: ["View Channel", "Send Messages", "Create Public Threads", "Send Messages in Threads"] },
    });
    return readId(answer, unreadable);
  }

  async function openPrivate(parent: ThreadFacts, opening: ThreadOpening, mark: string): Promise<string> {
    const known = await search.findThread(parent, mark);
    const body = { name: limitName(opening.name), auto_archive_duration, type: PRIVATE_THREAD, invitable: false };
    const threadId =
      known?.id ??
      readMade(await make(parent.guildId, `/channels/${parent.id}/threads`, body, "Create Private Threads"));
    await sendHello(threadId, { ...opening, hello: formatMarkedHello(opening.hello, mark) });
    return threadId;
  }

  async function openPost(forum: ThreadFacts, opening: ThreadOpening, mark: string): Promise<string> {
    const known = await search.findThread(forum, mark);
    if (known !== undefined) return known.id;
    const tag = forum.tags.find(({ isModerated }) => !isModerated) ?? forum.tags[0];
    const body = {
      name: limitName(opening.name),
      auto_archive_duration,
      message: { content: formatMarkedHello(opening.hello, mark), allowed_mentions: NO_MENTIONS },
    };
    const tagged = { ...body, applied_tags: tag === undefined ? [] : [tag.id] };
    const route = `/channels/${forum.id}/threads` as const;
    const tried = await make(forum.guildId, route, forum.requiresTag ? tagged : body, "Create Posts");
    const isUntagged = "error" in tried && tried.fault.row === TAG_REQUIRED && !forum.requiresTag;
    return readMade(isUntagged ? await make(forum.guildId, route, tagged, "Create Posts") : tried);
  }

  async function sendHello(threadId: string, { bindingId, hello }: ThreadOpening): Promise<void> {
    await api.call({
      method: "post",
      route: `/channels/${threadId}/messages`,
      body: buildMessageBody({ content: hello, nonce: buildNonce(bindingId, "hello") }),
      attempt: `Saying hello in Discord thread ${threadId}`,
      context: { isInThread: true, needs: ["Send Messages in Threads"] },
    });
  }

  return {
    async open(opening) {
      const { parentId, isDm } = parsePlace(opening.parent);
      if (isDm) {
        const cure = "leave the thread out, or ask in a channel of a server";
        throw new ChannelError("permanent", `Opening a Discord thread: direct messages have none; ${cure}`);
      }
      const parent = parseThreadFacts(
        await api.call({
          method: "get",
          route: `/channels/${parentId}`,
          attempt: `Opening a thread in Discord channel ${parentId}`,
        }),
      );
      if (parent?.guildId === undefined) throw unreadable();
      const mark = buildThreadMark(opening.bindingId);
      const isPrivate = config.threadType === "private" && parent.type === TEXT_CHANNEL;
      const openIn = FORUM_TYPES.has(parent.type) ? openPost : isPrivate ? openPrivate : openFromStarter;
      const threadId = await openIn(parent, opening, mark);
      const place = { kind: "thread", channelId: threadId, parentId, guildId: parent.guildId } as const;
      return { address: formatPlaceAddress(account, place) };
    },
  };
}

function readMade(tried: Awaited<ReturnType<DiscordApi["attempt"]>>): string {
  if ("error" in tried) throw tried.error;
  return readId(tried.answer, unreadable);
}

function unreadable(): ChannelError {
  return new ChannelError("ambiguous", "Opening a Discord thread: the answer names none; check apiBaseUrl");
}
