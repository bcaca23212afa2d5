/** Closing, renaming, looking at and taking back threads. Each may be done again, also in another life. */
import { type Address, ChannelError, type ThreadsAbility } from "@banyan/plugin-sdk";
import type { CallContext } from "../discord-fault.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { FORUM_TYPES } from "../places/channel-record.ts";
import { parsePlace } from "../places/place.ts";
import { buildMessageBody } from "../sending/message-body.ts";
import { buildNonce } from "../sending/nonce.ts";
import { findPlaceState } from "./place-state.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";
import { buildThreadMark, limitName } from "./thread-mark.ts";
import type { ThreadOpenerOptions } from "./thread-opener.ts";
import type { ReleaseThread } from "./thread-release.ts";

export interface ThreadCloserOptions extends Pick<ThreadOpenerOptions, "api" | "search" | "inLine"> {
  readonly botId: string;
  readonly release: ReleaseThread;
}

const IN_THREAD: CallContext = { isInThread: true, needs: ["Send Messages in Threads"] };
const MISSING_PERMISSION = "D17";

export class ThreadCloser {
  readonly #options: ThreadCloserOptions;

  constructor(options: ThreadCloserOptions) {
    this.#options = options;
  }

  async archive({ bindingId, address, name, goodbye }: Parameters<ThreadsAbility["archive"]>[0]): Promise<void> {
    const thread = await this.#get(address);
    if (thread.isArchived) return;
    if (goodbye !== undefined) await this.#sayGoodbye(thread.id, bindingId, goodbye);
    const isRenamed = name !== undefined && limitName(name) !== thread.name;
    await this.#change(thread.id, { archived: true, ...(isRenamed && { name: limitName(name) }) });
  }

  async rename({ address, name }: { readonly address: Address; readonly name: string }): Promise<void> {
    const thread = await this.#get(address);
    if (thread.isArchived || thread.name === limitName(name)) return;
    await this.#change(thread.id, { name: limitName(name) });
  }

  async probe(address: Address): Promise<"open" | "archived" | "gone"> {
    const place = parsePlace(address);
    const state = await findPlaceState(place, this.#options);
    if (state.kind === "open" || state.kind === "archived") return state.kind;
    // As a message that is refused there: people learn what is missing.
    if (state.kind === "shut") await this.#options.release({ address, place, row: state.row, lacking: state.lacking });
    return "gone";
  }

  async withdraw({ bindingId, parent }: Parameters<ThreadsAbility["withdraw"]>[0]): Promise<void> {
    const { api, search } = this.#options;
    const { parentId, isDm } = parsePlace(parent);
    if (isDm) return;
    const mark = buildThreadMark(bindingId);
    const channel = await this.#look(parentId);
    if (channel === undefined) return;
    // A forum has no messages of its own.
    const starter = FORUM_TYPES.has(channel.type) ? undefined : await search.findStarter(parentId, mark, "any time");
    if (starter !== undefined) {
      if (starter.hasThread) await this.#takeAway(starter.id);
      const route = `/channels/${parentId}/messages/${starter.id}` as const;
      await api.find({ method: "delete", route, attempt: `Taking back a thread in Discord channel ${parentId}` });
    }
    await this.#options.inLine(async () => {
      const { marked, empty } = await search.findThreads(channel, mark);
      // Nobody is in an empty one; where it is another opening's, that begins again.
      for (const thread of marked === undefined ? empty : [marked]) await this.#takeAway(thread.id);
    });
  }

  async #look(threadId: string): Promise<ThreadFacts | undefined> {
    const attempt = `Looking at Discord thread ${threadId}`;
    const route = `/channels/${threadId}` as const;
    return parseThreadFacts(await this.#options.api.find({ method: "get", route, attempt, context: IN_THREAD }));
  }

  async #get(address: Address): Promise<ThreadFacts> {
    const { channelId, isThread } = parsePlace(address);
    const thread = isThread ? await this.#look(channelId) : undefined;
    if (thread === undefined)
      throw new ChannelError("thread_gone", `Looking at Discord thread ${channelId}: there is none; it was deleted`);
    return thread;
  }

  async #change(threadId: string, body: object): Promise<void> {
    const attempt = `Changing Discord thread ${threadId}`;
    const route = `/channels/${threadId}` as const;
    await this.#options.api.call({ method: "patch", route, body, attempt, context: IN_THREAD });
  }

  async #sayGoodbye(threadId: string, bindingId: string, goodbye: string): Promise<void> {
    const { api, search } = this.#options;
    const content = renderMarkdown(goodbye);
    if (await search.hasSaid(threadId, content, "last")) return;
    await api.call({
      method: "post",
      route: `/channels/${threadId}/messages`,
      body: buildMessageBody({ content, nonce: buildNonce(bindingId, "goodbye") }),
      attempt: `Saying goodbye in Discord thread ${threadId}`,
      context: IN_THREAD,
    });
  }

  async #takeAway(threadId: string): Promise<void> {
    const attempt = `Taking back Discord thread ${threadId}`;
    const route = `/channels/${threadId}` as const;
    const tried = await this.#options.api.attempt({ method: "delete", route, attempt, context: IN_THREAD });
    if (!("error" in tried) || tried.error.class === "thread_gone") return;
    // Without the right to manage threads its maker may still archive it.
    if (tried.fault.row !== MISSING_PERMISSION) throw tried.error;
    await this.#change(threadId, { archived: true });
  }
}
