/**
 * What becomes of a message whose thread does not take it:
 *
 * 1. archived or locked: it is opened, where the bot may, and the message is tried once more
 * 2. deleted, or shut all the same: no sub-agent is bound to it any more, and people in its channel are told why, once
 * 3. the message goes to the channel that the thread is in, or nowhere
 */
import { type Address, type ChannelContext, ChannelError, type Log } from "@banyan/plugin-sdk";
import { findLacking } from "../inspection/lacking-permission.ts";
import type { PermissionName } from "../inspection/permission.ts";
import { FORUM_TYPES } from "../places/channel-record.ts";
import type { AddressedPlace } from "../places/place.ts";
import type { Attempted, DiscordApi } from "../rest/discord-api.ts";
import { unarchive } from "./archived-thread.ts";
import { parseThreadFacts, type ThreadFacts } from "./thread-facts.ts";
import { PRIVATE_THREAD, type ThreadFates } from "./thread-fates.ts";
import { formatThreadNotice, type ThreadDue } from "./thread-notice.ts";

export interface ThreadRescueOptions {
  readonly api: DiscordApi;
  readonly botId: string;
  readonly fates: Pick<ThreadFates, "wasForAll" | "noteShut" | "noteChanged">;
  readonly fallback: ChannelContext<unknown>["threadFallback"];
  readonly threadGone: ChannelContext<unknown>["threadGone"];
  readonly log: Log;
}

/** Sends a message to the place, or to another one with a mark to put before it. */
export type SendTo = (place: AddressedPlace, mark: string) => Promise<Attempted>;

/** Resolves with Discord's answer, unread. Rejects with a `ChannelError`. */
export type SendToThread = (address: Address, place: AddressedPlace, send: SendTo) => Promise<unknown>;

type Refused = Extract<Attempted, { readonly error: ChannelError }>;

const DELETED = "D18";
const FORBIDDEN = "D17";
/** Archived, locked. */
const OPENED: ReadonlySet<string | undefined> = new Set(["D22", "D23"]);
/** Deleted, not to be seen, without the right to write, archived, locked. */
const OUT_OF_REACH: ReadonlySet<string | undefined> = new Set([DELETED, "D16", FORBIDDEN, ...OPENED]);
/** What every message there needs. */
const NEEDED: readonly PermissionName[] = ["View Channel", "Send Messages in Threads"];
/** Together with the host's own mark within the 32 units that it keeps free. */
const GONE_MARK = "(thread gone)\n";
const SHUT_MARK = "(thread shut)\n";

export function createThreadRescue(options: ThreadRescueOptions): SendToThread {
  return async (address, place, send) => {
    const first = await send(place, "");
    if (!place.isThread) return readAnswer(first);
    if (!isOutOfReach(first)) {
      if (!("error" in first)) options.fates.noteChanged(place.channelId);
      return readAnswer(first);
    }
    const tried = OPENED.has(first.fault.row) ? await openAndSend(first, place, send, options) : first;
    if (!isOutOfReach(tried)) return readAnswer(tried);
    const lacking = tried.fault.row === FORBIDDEN ? await findLacking(NEEDED, place, options) : undefined;
    // Only this message needs more, such as for its file.
    if (lacking?.length === 0) throw tried.error;
    return sendBeside({ address, place, refused: tried, lacking: lacking ?? [] }, send, options);
  };
}

function isOutOfReach(tried: Attempted): tried is Refused {
  return "error" in tried && OUT_OF_REACH.has(tried.fault.row);
}

function readAnswer(tried: Attempted): unknown {
  if ("error" in tried) throw tried.error;
  return tried.answer;
}

async function openAndSend(
  first: Refused,
  place: AddressedPlace,
  send: SendTo,
  { api }: ThreadRescueOptions,
): Promise<Attempted> {
  const opened = await unarchive(api, place.channelId);
  if (!("error" in opened)) return send(place, "");
  // Without that right the message's own refusal says what is in the way.
  if (opened.fault.row === FORBIDDEN) return first;
  // Nothing of the message was taken, so nothing of it is unclear.
  if (opened.error.class !== "ambiguous") return opened;
  throw new ChannelError("definite", opened.error.message, { cause: opened.error });
}

interface Rescue {
  readonly address: Address;
  readonly place: AddressedPlace;
  readonly refused: Refused;
  readonly lacking: readonly PermissionName[];
}

async function sendBeside(rescue: Rescue, send: SendTo, options: ThreadRescueOptions): Promise<unknown> {
  const { address, place, refused, lacking } = rescue;
  const { channelId: threadId, parentId } = place;
  const { row } = refused.fault;
  const parent = await look(parentId, options);
  const takesMessages = parent !== undefined && !FORUM_TYPES.has(parent.type);
  const due: ThreadDue =
    options.fallback === "refuse"
      ? "goes nowhere"
      : (await isForAll(rescue, options))
        ? "comes here"
        : "is not for all";
  // Of a thread that is deleted the message itself tells, by its mark.
  const isTold = takesMessages && (row !== DELETED || due !== "comes here");
  await free(address, isTold ? formatThreadNotice({ threadId, row, lacking, due }) : undefined, options);
  if (row !== DELETED) options.fates.noteShut(threadId, parentId);
  options.log.warn({ err: refused.error, address, due }, "a Discord thread takes no messages any more");
  if (!takesMessages || due !== "comes here") throw refused.error;
  const beside = { ...place, channelId: parentId, isThread: false };
  return readAnswer(await send(beside, row === DELETED ? GONE_MARK : SHUT_MARK));
}

async function free(
  address: Address,
  notice: string | undefined,
  { threadGone }: Pick<ThreadRescueOptions, "threadGone">,
): Promise<void> {
  try {
    await threadGone(address, notice);
  } catch (cause) {
    const what = `Sending to ${address}: its thread is gone, which could not be stored; it is tried again`;
    throw new ChannelError("definite", what, { cause });
  }
}

/** Whether all who read the channel could read the thread. Of a deleted one that is known, or there is a trace of it. */
async function isForAll({ place, refused }: Rescue, options: ThreadRescueOptions): Promise<boolean> {
  const { channelId, parentId } = place;
  if (refused.fault.row !== DELETED) {
    const thread = await look(channelId, options);
    return thread !== undefined && thread.type !== PRIVATE_THREAD;
  }
  if (options.fates.wasForAll(channelId)) return true;
  const attempt = `Looking for the message that Discord thread ${channelId} began at`;
  // Only a thread for all stands on a message of its channel, which outlives it and has its id.
  const route = `/channels/${parentId}/messages/${channelId}` as const;
  return (await options.api.look({ method: "get", route, attempt })) !== undefined;
}

async function look(channelId: string, { api }: Pick<ThreadRescueOptions, "api">): Promise<ThreadFacts | undefined> {
  const attempt = `Looking at Discord channel ${channelId}`;
  return parseThreadFacts(await api.look({ method: "get", route: `/channels/${channelId}`, attempt }));
}
