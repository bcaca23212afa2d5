/** Closing, renaming, looking at and taking back threads. Each may be done again, also in another life. */
import { type Address, ChannelError, type ThreadsAbility } from "@banyan/plugin-sdk";
import type { CallContext } from "../discord-fault.ts";
import { parsePlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { buildMessageBody } from "../sending/message-body.ts";
import { buildNonce } from "../sending/nonce.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";
import { buildThreadMark, limitName } from "./thread-mark.ts";
import type { ThreadSearch } from "./thread-search.ts";

export interface ThreadCloserOptions {
  readonly api: DiscordApi;
  readonly search: ThreadSearch;
}

const IN_THREAD: CallContext = { isInThread: true, needs: ["Send Messages in Threads"] };
const MISSING_PERMISSION = "D17";

export function createThreadCloser({ api, search }: ThreadCloserOptions): Omit<ThreadsAbility, "open"> {
  async function look(threadId: string): Promise<ThreadFacts | undefined> {
    const attempt = `Looking at Discord thread ${threadId}`;
    const answer = await api.find({ method: "get", route: `/channels/${threadId}`, attempt, context: IN_THREAD });
    return parseThreadFacts(answer);
  }

  async function get(address: Address): Promise<ThreadFacts> {
    const { channelId, isThread } = parsePlace(address);
    const thread = isThread ? await look(channelId) : undefined;
    if (thread === undefined)
      throw new ChannelError("thread_gone", `Looking at Discord thread ${channelId}: there is none; it was deleted`);
    return thread;
  }

  async function change(threadId: string, body: object): Promise<void> {
    const attempt = `Changing Discord thread ${threadId}`;
    await api.call({ method: "patch", route: `/channels/${threadId}`, body, attempt, context: IN_THREAD });
  }

  async function sayGoodbye(threadId: string, goodbye: string): Promise<void> {
    await api.call({
      method: "post",
      route: `/channels/${threadId}/messages`,
      body: buildMessageBody({ content: goodbye, nonce: buildNonce(`${threadId}|${goodbye}`, "goodbye") }),
      attempt: `Saying goodbye in Discord thread ${threadId}`,
      context: IN_THREAD,
    });
  }

  async function takeAway(threadId: string): Promise<void> {
    const attempt = `Taking back Discord thread ${threadId}`;
    const route = `/channels/${threadId}` as const;
    const tried = await api.attempt({ method: "delete", route, attempt, context: IN_THREAD });
    if (!("error" in tried) || tried.error.class === "thread_gone") return;
    // Without the right to manage threads its maker may still archive it.
    if (tried.fault.row !== MISSING_PERMISSION) throw tried.error;
    await change(threadId, { archived: true });
  }

  return {
    async archive({ address, name, goodbye }) {
      const thread = await get(address);
      if (thread.isArchived) return;
      if (goodbye !== undefined) await sayGoodbye(thread.id, goodbye);
      const isRenamed = name !== undefined && limitName(name) !== thread.name;
      await change(thread.id, { archived: true, ...(isRenamed && { name: limitName(name) }) });
    },
    async rename({ address, name }) {
      const thread = await get(address);
      if (thread.isArchived || thread.name === limitName(name)) return;
      await change(thread.id, { name: limitName(name) });
    },
    async probe(address) {
      const { channelId } = parsePlace(address);
      const thread = await look(channelId);
      if (thread === undefined || thread.isLocked) return "gone";
      return thread.isArchived ? "archived" : "open";
    },
    async withdraw({ bindingId, parent }) {
      const { parentId, isDm } = parsePlace(parent);
      if (isDm) return;
      const mark = buildThreadMark(bindingId);
      const starter = await search.findStarter(parentId, mark);
      if (starter !== undefined) {
        if (starter.hasThread) await takeAway(starter.id);
        const route = `/channels/${parentId}/messages/${starter.id}` as const;
        await api.find({ method: "delete", route, attempt: `Taking back a thread in Discord channel ${parentId}` });
      }
      const channel = await look(parentId);
      const thread = channel && (await search.findThread(channel, mark));
      if (thread !== undefined) await takeAway(thread.id);
    },
  };
}
