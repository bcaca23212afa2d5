/** What becomes of a message whose thread is gone. */
import { type Address, type ChannelContext, ChannelError, type Log } from "@banyan/plugin-sdk";
import { FORUM_TYPES } from "../places/channel-record.ts";
import type { AddressedPlace } from "../places/place.ts";
import type { Attempted, DiscordApi } from "../rest/discord-api.ts";
import { parseThreadFacts } from "./thread-facts.ts";
import type { ThreadFates } from "./thread-fates.ts";

export interface ThreadRescueOptions {
  readonly api: DiscordApi;
  readonly fates: Pick<ThreadFates, "wasForAll">;
  readonly fallback: ChannelContext<unknown>["threadFallback"];
  readonly threadGone: ChannelContext<unknown>["threadGone"];
  readonly log: Log;
}

/** Sends a message to the place, or to another one with a mark to put before it. */
export type SendTo = (place: AddressedPlace, mark: string) => Promise<Attempted>;

/** Resolves with Discord's answer, unread. Rejects with a `ChannelError`. */
export type SendToThread = (address: Address, place: AddressedPlace, send: SendTo) => Promise<unknown>;

const DELETED = "D18";
/** Together with the host's own mark within the 32 units that it keeps free. */
const GONE_MARK = "(thread gone)\n";

/**
 * A thread that was deleted is bound to nobody any more, which is stored first; the message then goes to the channel that
 * the thread was in, or nowhere, as `threads.fallback` says. What was for few is not shown to all who read the channel.
 */
export function createThreadRescue({ api, fates, fallback, threadGone, log }: ThreadRescueOptions): SendToThread {
  async function free(address: Address): Promise<void> {
    try {
      await threadGone(address);
    } catch (cause) {
      const what = `Sending to ${address}: its thread is gone, which could not be stored; it is tried again`;
      throw new ChannelError("definite", what, { cause });
    }
  }

  /** Also by this: only a thread that all could read stands on a message of its channel, which outlives it and has its id. */
  async function wasForAll({ channelId, parentId }: AddressedPlace): Promise<boolean> {
    if (fates.wasForAll(channelId)) return true;
    const attempt = `Looking for what Discord thread ${channelId} stood on`;
    const route = `/channels/${parentId}/messages/${channelId}` as const;
    return (await api.look({ method: "get", route, attempt })) !== undefined;
  }

  async function takesMessages({ parentId }: AddressedPlace): Promise<boolean> {
    const attempt = `Looking at Discord channel ${parentId}`;
    const parent = parseThreadFacts(await api.look({ method: "get", route: `/channels/${parentId}`, attempt }));
    return parent !== undefined && !FORUM_TYPES.has(parent.type);
  }

  return async (address, place, send) => {
    const tried = await send(place, "");
    if (!("error" in tried)) return tried.answer;
    if (!place.isThread || tried.fault.row !== DELETED) throw tried.error;
    await free(address);
    const mayShow = fallback === "reply" && (await takesMessages(place)) && (await wasForAll(place));
    if (!mayShow) throw tried.error;
    log.info({ address }, "a Discord thread is gone; what was meant for it goes to its channel");
    const instead = await send({ ...place, channelId: place.parentId, isThread: false }, GONE_MARK);
    if ("error" in instead) throw instead.error;
    return instead.answer;
  };
}
