/**
 * The line in which posted updates stand: Telegram posts many at once and may do so out of their order, and what people
 * write is to be stored in the order in which they wrote it. Whatever is ready is stored as one batch.
 *
 * Stages: note that it was seen → wait for what was seen before it in its chat, and for a gap → store. What was refused or
 * cut off between the first and the last is known to come again, also to the next process.
 */
import type { Clock, Log } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import type { UpdateIntake } from "../intake/update-intake.ts";
import type { CursorKeeper } from "../polling/cursor-keeper.ts";
import type { SeenUpdate } from "../polling/poll-cursor.ts";
import { decideNextId, decideReady, findAwaited, type WaitingUpdate } from "./update-order.ts";

export interface UpdateLineOptions {
  readonly intake: UpdateIntake;
  readonly keeper: Pick<CursorKeeper, "nextId" | "seen" | "noteSeen" | "forgetSeen">;
  /** Stores what the keeper has noted. */
  readonly note: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** For what may never have been posted. Longer than Telegram waits before it brings again what was lost on the way once. */
const GAP_TIMEOUT_MS = 2_000;
/** For what was seen. Longer than the two minutes for which Telegram holds back at most what was refused. */
export const SEEN_TIMEOUT_MS: number = 5 * 60_000;
/** Telegram keeps to 40 connections; what stands here beyond that is none of its posts. */
const LINE_LIMIT = 400;

interface Place {
  readonly update: Update;
  readonly stored: PromiseWithResolvers<void>;
  isNoted: boolean;
}

export class UpdateLine {
  readonly #options: UpdateLineOptions;
  readonly #waiting = new Map<number, Place>();
  readonly #storing = new Map<number, Place>();
  /** Until when what was seen is waited for, by the monotonic clock. */
  #due: ReadonlyMap<number, number> = new Map();
  #nextId: number | undefined;
  #isOverdue = false;
  #isNoting = false;
  #cancelAlarm: (() => void) | undefined;
  #cancelSeenAlarm: (() => void) | undefined;

  constructor(options: UpdateLineOptions) {
    this.#options = options;
    this.#nextId = options.keeper.nextId;
    options.signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  /** Resolves when the update is stored; rejects when it was not, or the signal aborts. */
  take(update: Update): Promise<void> {
    const id = update.update_id;
    const known = this.#storing.get(id) ?? this.#waiting.get(id);
    if (known !== undefined) return known.stored.promise;
    if (this.#options.signal.aborted || this.#waiting.size >= LINE_LIMIT)
      return Promise.reject(new Error("an update was posted: the line is closed or full"));
    const place = { update, stored: Promise.withResolvers<void>(), isNoted: false };
    this.#waiting.set(id, place);
    this.#advance();
    return place.stored.promise;
  }

  #advance(): void {
    if (this.#isNoting || this.#storing.size > 0 || this.#options.signal.aborted) return;
    const places = [...this.#waiting.values()];
    const fresh = places.filter(({ isNoted }) => !isNoted);
    if (fresh.length > 0) return void this.#note(fresh);
    const waiting = places.map(({ update }) => readUpdate(update)).toSorted((one, other) => one.id - other.id);
    const { held, awaited } = findAwaited(waiting, this.#options.keeper.seen);
    this.#awaitSeen(awaited);
    const ids = waiting.map(({ id }) => id).filter((id) => !held.has(id));
    const ready = decideReady({ ids, nextId: this.#nextId, isOverdue: this.#isOverdue });
    if (ready > 0) void this.#store(ids.slice(0, ready));
    else if (ids.length > 0) this.#awaitMissing();
  }

  /** Before anything else becomes of them. What cannot be noted is refused, and known to be as long as this process lives. */
  async #note(places: readonly Place[]): Promise<void> {
    const { keeper, note } = this.#options;
    const messages = places.flatMap(({ update }) => {
      const { id, chat } = readUpdate(update);
      return chat === undefined ? [] : [{ id, chat }];
    });
    this.#isNoting = true;
    for (const place of places) place.isNoted = true;
    keeper.noteSeen(messages);
    try {
      if (messages.length > 0) await note();
    } catch (error) {
      for (const { update, stored } of places) {
        this.#waiting.delete(update.update_id);
        stored.reject(error);
      }
    }
    this.#isNoting = false;
    this.#advance();
  }

  #awaitMissing(): void {
    this.#cancelAlarm ??= this.#options.clock.schedule(GAP_TIMEOUT_MS, () => {
      this.#cancelAlarm = undefined;
      this.#isOverdue = true;
      this.#advance();
    });
  }

  #awaitSeen(awaited: readonly SeenUpdate[]): void {
    const { clock } = this.#options;
    const now = clock.monotonic();
    this.#cancelSeenAlarm?.();
    this.#cancelSeenAlarm = undefined;
    this.#due = new Map(awaited.map(({ id }) => [id, this.#due.get(id) ?? now + SEEN_TIMEOUT_MS]));
    if (awaited.length === 0) return;
    const waitMs = Math.min(...this.#due.values()) - now;
    this.#cancelSeenAlarm = clock.schedule(Math.max(0, waitMs), () => this.#giveUp(awaited));
  }

  #giveUp(awaited: readonly SeenUpdate[]): void {
    const { keeper, clock, log } = this.#options;
    const late = awaited.filter(({ id }) => (this.#due.get(id) ?? Number.POSITIVE_INFINITY) <= clock.monotonic());
    keeper.forgetSeen(late.map(({ id }) => id));
    for (const { id, chat } of late)
      log.warn(
        { chat: String(chat), updateId: id },
        `Telegram posted a message that was not stored, and has not posted it again for ${SEEN_TIMEOUT_MS / 60_000} minutes: what was written after it is taken in first; if it still comes, it is answered late`,
      );
    this.#advance();
  }

  async #store(ids: readonly number[]): Promise<void> {
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    this.#isOverdue = false;
    const places = ids.flatMap((id) => this.#waiting.get(id) ?? []);
    for (const place of places) {
      this.#waiting.delete(place.update.update_id);
      this.#storing.set(place.update.update_id, place);
    }
    try {
      await this.#options.intake(places.map(({ update }) => update));
      for (const id of ids) this.#nextId = decideNextId(this.#nextId, id);
      for (const { stored } of places) stored.resolve();
    } catch (error) {
      for (const { stored } of places) stored.reject(error);
    }
    this.#storing.clear();
    this.#advance();
  }

  /** What waits is not stored: Telegram keeps it. */
  #leave(): void {
    this.#cancelAlarm?.();
    this.#cancelSeenAlarm?.();
    const places = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { stored } of places) stored.reject(new Error("an update was posted: the account stops"));
  }
}

/** Telegram keeps messages for a day; anything else that it posts may be gone before it could come again. */
function readUpdate(update: Update): WaitingUpdate {
  const { message, edited_message: edit, channel_post: post, edited_channel_post: postEdit } = update;
  return { id: update.update_id, chat: (message ?? edit ?? post ?? postEdit)?.chat.id };
}
