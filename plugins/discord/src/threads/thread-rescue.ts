/**
 * What becomes of a message that its channel or thread does not take. Of a channel in which the bot may not write the operator
 * is told, since nobody can be told there. Of a thread:
 *
 * 1. archived or locked: it is opened, where the bot may, and the message is tried once more
 * 2. deleted, or shut all the same: no sub-agent is bound to it any more, and people are told why, once
 * 3. the message goes to the channel that the thread is in, or nowhere
 */
import { type Address, ChannelError, type Log } from "@banyan/plugin-sdk";
import { findLacking } from "../inspection/lacking-permission.ts";
import type { AddressedPlace } from "../places/place.ts";
import type { Attempted, DiscordApi } from "../rest/discord-api.ts";
import { unarchive } from "./archived-thread.ts";
import { NEEDED_IN_CHANNEL, NEEDED_IN_THREAD } from "./place-state.ts";
import type { ThreadFates } from "./thread-fates.ts";
import { DELETED, type ReleaseThread } from "./thread-release.ts";

export interface ThreadRescueOptions {
  readonly api: DiscordApi;
  readonly botId: string;
  readonly fates: Pick<ThreadFates, "noteShut" | "noteOpen">;
  readonly release: ReleaseThread;
  readonly log: Log;
}

/** Sends a message to the place, or to another one with a mark to put before it. */
export type SendTo = (place: AddressedPlace, mark: string) => Promise<Attempted>;

/** Resolves with Discord's answer, unread. Rejects with a `ChannelError`. */
export type SendToThread = (address: Address, place: AddressedPlace, send: SendTo) => Promise<unknown>;

type Refused = Extract<Attempted, { readonly error: ChannelError }>;

const UNSEEN = "D16";
const FORBIDDEN = "D17";
/** Archived, locked. */
const OPENED: ReadonlySet<string | undefined> = new Set(["D22", "D23"]);
/** Deleted, not to be seen, without the right to write, archived, locked. */
const OUT_OF_REACH: ReadonlySet<string | undefined> = new Set([DELETED, UNSEEN, FORBIDDEN, ...OPENED]);
/** Together with the host's own mark within the 32 units that it keeps free. */
const GONE_MARK = "(thread gone)\n";
const SHUT_MARK = "(thread shut)\n";

export function createThreadRescue(options: ThreadRescueOptions): SendToThread {
  return async (address, place, send) => {
    const first = await send(place, "");
    if (!("error" in first)) options.fates.noteOpen(place.channelId);
    if (!isOutOfReach(first) || place.isDm) return readAnswer(first);
    if (!place.isThread) return refuseInChannel(first, place, options);
    const tried = OPENED.has(first.fault.row) ? await openAndSend(first, place, send, options) : first;
    if (!isOutOfReach(tried)) return readAnswer(tried);
    const lacking = tried.fault.row === FORBIDDEN ? await findLacking(NEEDED_IN_THREAD, place, options) : undefined;
    // Only this message needs more, such as for its file.
    if (lacking?.length === 0) throw tried.error;
    const { row } = tried.fault;
    const due = await options.release({ address, place, row, lacking: lacking ?? [] });
    options.log.warn({ err: tried.error, address, due }, "a Discord thread takes no messages any more");
    if (due !== "comes here") throw tried.error;
    const beside = { ...place, channelId: place.parentId, isThread: false };
    return readAnswer(await send(beside, row === DELETED ? GONE_MARK : SHUT_MARK));
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

/** No one can be told there, and what was to be said is for no one else: the operator learns what is missing. */
async function refuseInChannel(refused: Refused, place: AddressedPlace, options: ThreadRescueOptions): Promise<never> {
  const { row } = refused.fault;
  const lacking =
    row === UNSEEN
      ? (["View Channel"] as const)
      : row === FORBIDDEN
        ? ((await findLacking(NEEDED_IN_CHANNEL, place, options)) ?? [])
        : [];
  // Else only this message needs more, such as for its file.
  if (lacking.length > 0) {
    const { channelId: id } = place;
    try {
      await options.fates.noteShut({ id, parentId: id, lacking: lacking.join(", ") });
    } catch (cause) {
      const what = `Sending to Discord channel ${id}: the bot may not write there, which could not be stored; it is tried again`;
      throw new ChannelError("definite", what, { cause });
    }
  }
  throw refused.error;
}
