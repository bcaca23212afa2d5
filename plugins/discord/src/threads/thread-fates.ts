import type { Clock, Log } from "@banyan/plugin-sdk";
import type { AccountHealth } from "@banyan/plugin-sdk/kit";
import type { AddressedPlace } from "../places/place.ts";
import { putShut, type ShutPlace } from "../state/shut-place.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import type { PlaceState } from "./place-state.ts";

/** A thread that only its members see (Discord documentation, "Channel Resource": channel types). */
export const PRIVATE_THREAD = 12;

/** Deleted threads that an answer may be on its way to. */
const MOST_THREADS = 1_000;
/** Discord reports most changes. Whether one was missed is looked up at a message, at most this often for each place. */
const LOOK_PAUSE_MS = 10 * 60_000;
/** As many are named to the operator. */
const MOST_NAMED = 5;

export interface ThreadFatesOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly keeper: StateKeeper;
  readonly health: Pick<AccountHealth, "note">;
  readonly log: Log;
  /** May reject. */
  readonly look: (place: Pick<AddressedPlace, "channelId" | "parentId" | "isThread">) => Promise<PlaceState>;
}

/** What an account has learnt of threads and channels that nothing can be sent to any more. The next life knows what is shut. */
export class ThreadFates {
  readonly #options: ThreadFatesOptions;
  readonly #deletedForAll = new Map<string, true>();
  /** When each shut place was looked at, by the monotonic clock; those of an earlier life were not. */
  readonly #lookedAt = new Map<string, number>();
  #takeBackNote: (() => void) | undefined;

  constructor(options: ThreadFatesOptions) {
    this.#options = options;
  }

  /** Shows the operator which channels an earlier life has left shut. Called once, when the account is connected. */
  begin(): void {
    this.#tellOperator();
  }

  /** Discord tells the type of a deleted thread, and nothing else of it any more. */
  noteDeleted(threadId: string, type: number): void {
    if (type === PRIVATE_THREAD) return;
    this.#deletedForAll.set(threadId, true);
    const [oldest] = this.#deletedForAll.keys();
    if (this.#deletedForAll.size > MOST_THREADS && oldest !== undefined) this.#deletedForAll.delete(oldest);
  }

  /** It was deleted, and all who read its channel could read it. */
  wasForAll(threadId: string): boolean {
    return this.#deletedForAll.has(threadId);
  }

  /** It is there, and takes no message of the bot's. Resolves when that is stored. */
  async noteShut(place: ShutPlace): Promise<void> {
    const { keeper, clock } = this.#options;
    const known = keeper.state.shut.find(({ id }) => id === place.id);
    await keeper.store([], (state) => ({ ...state, shut: putShut(state.shut, place) }));
    this.#lookedAt.set(place.id, clock.monotonic());
    for (const id of this.#lookedAt.keys())
      if (!keeper.state.shut.some((shut) => shut.id === id)) this.#lookedAt.delete(id);
    if (place.lacking !== known?.lacking) this.#tellOperator();
  }

  /** Whether nobody could be answered there. Looks where no one has for a while. Never rejects. */
  async takesNothing(channelId: string): Promise<boolean> {
    const { keeper, clock, look, log } = this.#options;
    const place = keeper.state.shut.find(({ id }) => id === channelId);
    if (place === undefined) return false;
    const lookedAt = this.#lookedAt.get(channelId);
    if (lookedAt !== undefined && clock.monotonic() - lookedAt < LOOK_PAUSE_MS) return true;
    try {
      const { parentId } = place;
      const { kind } = await look({ channelId, parentId, isThread: channelId !== parentId });
      this.#lookedAt.set(channelId, clock.monotonic());
      if (kind === "shut" || kind === "deleted") return true;
      this.noteOpen(channelId);
      return false;
    } catch (err) {
      // A turn in vain costs less than a message that is lost.
      log.debug({ err, channelId }, "whether the bot may write in a Discord channel again could not be looked up");
      return false;
    }
  }

  /** It takes messages. Stored with the next write: what is lost of it is found out again. */
  noteOpen(channelId: string): void {
    this.#drop(({ id }) => id === channelId);
  }

  /** The thread or its channel was changed, so it may take messages again. */
  noteChanged(channelId: string): void {
    this.#drop(({ id, parentId }) => id === channelId || parentId === channelId);
  }

  /** The bot has other roles, or a role other permissions. */
  noteRights(): void {
    this.#drop(() => true);
  }

  /** The bot was perhaps invited again. */
  noteGuild(): void {
    this.#lookedAt.clear();
  }

  #drop(isOpen: (place: ShutPlace) => boolean): void {
    const { keeper } = this.#options;
    const open = keeper.state.shut.filter(isOpen);
    if (open.length === 0) return;
    keeper.note((state) => ({ ...state, shut: state.shut.filter((place) => !isOpen(place)) }));
    for (const { id } of open) this.#lookedAt.delete(id);
    if (open.some(({ lacking }) => lacking !== undefined)) this.#tellOperator();
  }

  #tellOperator(): void {
    this.#takeBackNote?.();
    const channels = this.#options.keeper.state.shut.filter(({ lacking }) => lacking !== undefined);
    this.#takeBackNote = channels.length === 0 ? undefined : this.#options.health.note(formatShutChannels(channels));
  }
}

function formatShutChannels(channels: readonly ShutPlace[]): string {
  const named = channels.slice(-MOST_NAMED).map(({ id, lacking = "" }) => `${id} (lacks ${lacking})`);
  const more = channels.length > MOST_NAMED ? ` and ${channels.length - MOST_NAMED} more` : "";
  return `Discord: the bot can't write in channel ${named.join(", ")}${more}, so messages there reach no agent; give its role the permission`;
}
