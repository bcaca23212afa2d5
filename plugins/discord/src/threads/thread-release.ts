/** What follows where a thread takes no message any more, whether a message found that out or a look. */
import { type Address, type ChannelContext, ChannelError } from "@banyan/plugin-sdk";
import type { PermissionName } from "../inspection/permission.ts";
import { FORUM_TYPES } from "../places/channel-record.ts";
import type { AddressedPlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";
import { PRIVATE_THREAD, type ThreadFates } from "./thread-fates.ts";
import { formatThreadNotice, type ThreadDue } from "./thread-notice.ts";

export interface ThreadReleaseOptions {
  readonly api: DiscordApi;
  readonly fates: Pick<ThreadFates, "wasForAll" | "noteShut">;
  readonly fallback: ChannelContext<unknown>["threadFallback"];
  readonly threadGone: ChannelContext<unknown>["threadGone"];
}

export interface LostThread {
  readonly address: Address;
  readonly place: Pick<AddressedPlace, "channelId" | "parentId">;
  /** The row of the error table. */
  readonly row: string | undefined;
  readonly lacking: readonly PermissionName[];
}

/**
 * No sub-agent is bound to the thread any more, and people are told why: in its channel, or, since a forum takes no messages,
 * where the sub-agent was asked for. Of one that is only shut that is kept. Resolves with what becomes of a message that is
 * due there.
 */
export type ReleaseThread = (lost: LostThread) => Promise<ThreadDue>;

export const DELETED = "D18";

export function createThreadRelease(options: ThreadReleaseOptions): ReleaseThread {
  return async (lost) => {
    const { address, place, row, lacking } = lost;
    const { channelId: threadId, parentId } = place;
    const parent = await look(parentId, options);
    const isForum = parent !== undefined && FORUM_TYPES.has(parent.type);
    const due = await decideDue(lost, { isForum, takesMessages: parent !== undefined }, options);
    // Of a thread that is deleted the message itself tells, by its mark. Into a channel that is not seen nothing can be said.
    const isTold = parent !== undefined && (row !== DELETED || due !== "comes here");
    const notice = isTold ? formatThreadNotice({ threadId, parentId, row, lacking, due }) : undefined;
    try {
      await options.threadGone(address, notice, isForum ? "requester" : "chat");
      if (row !== DELETED) await options.fates.noteShut({ id: threadId, parentId });
    } catch (cause) {
      const what = `Sending to ${address}: its thread is gone, which could not be stored; it is tried again`;
      throw new ChannelError("definite", what, { cause });
    }
    return due;
  };
}

async function decideDue(
  lost: LostThread,
  { isForum, takesMessages }: { readonly isForum: boolean; readonly takesMessages: boolean },
  options: ThreadReleaseOptions,
): Promise<ThreadDue> {
  if (options.fallback === "refuse") return "goes nowhere";
  if (isForum || !takesMessages) return "has no place";
  return (await isForAll(lost, options)) ? "comes here" : "is not for all";
}

/** Whether all who read the channel could read the thread. Of a deleted one that is known, or there is a trace of it. */
async function isForAll({ place, row }: LostThread, options: ThreadReleaseOptions): Promise<boolean> {
  const { channelId, parentId } = place;
  if (row !== DELETED) {
    const thread = await look(channelId, options);
    return thread !== undefined && thread.type !== PRIVATE_THREAD;
  }
  if (options.fates.wasForAll(channelId)) return true;
  const attempt = `Looking for what Discord thread ${channelId} stood on`;
  // Only a thread for all stands on a message of its channel, which outlives it and has its id.
  const route = `/channels/${parentId}/messages/${channelId}` as const;
  return (await options.api.look({ method: "get", route, attempt })) !== undefined;
}

async function look(channelId: string, { api }: Pick<ThreadReleaseOptions, "api">): Promise<ThreadFacts | undefined> {
  const attempt = `Looking at Discord channel ${channelId}`;
  return parseThreadFacts(await api.look({ method: "get", route: `/channels/${channelId}`, attempt }));
}
