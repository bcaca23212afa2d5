/**
 * The line in which posted updates stand: Telegram posts many at once and may do so out of their order, and what people
 * write is to be stored in the order in which they wrote it. Whatever is ready is stored as one batch.
 */
import type { Clock } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import type { UpdateIntake } from "../intake/update-intake.ts";
import { decideNextId, decideReady } from "./update-order.ts";

export interface UpdateLineOptions {
  readonly intake: UpdateIntake;
  readonly nextId: number | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Longer than Telegram waits before it brings again what was lost on the way once. */
const GAP_TIMEOUT_MS = 2_000;
/** Telegram keeps to 40 connections; what stands here beyond that is none of its posts. */
const LINE_LIMIT = 400;

interface Place {
  readonly update: Update;
  readonly stored: PromiseWithResolvers<void>;
}

export class UpdateLine {
  readonly #options: UpdateLineOptions;
  readonly #waiting = new Map<number, Place>();
  readonly #storing = new Map<number, Place>();
  #nextId: number | undefined;
  #isOverdue = false;
  #cancelAlarm: (() => void) | undefined;

  constructor(options: UpdateLineOptions) {
    this.#options = options;
    this.#nextId = options.nextId;
    options.signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  /** Resolves when the update is stored; rejects when it was not, or the signal aborts. */
  take(update: Update): Promise<void> {
    const id = update.update_id;
    const known = this.#storing.get(id) ?? this.#waiting.get(id);
    if (known !== undefined) return known.stored.promise;
    if (this.#options.signal.aborted || this.#waiting.size >= LINE_LIMIT)
      return Promise.reject(new Error("an update was posted: the line is closed or full"));
    const place = { update, stored: Promise.withResolvers<void>() };
    this.#waiting.set(id, place);
    this.#advance();
    return place.stored.promise;
  }

  #advance(): void {
    if (this.#storing.size > 0) return;
    const ids = [...this.#waiting.keys()].sort((one, other) => one - other);
    const ready = decideReady({ ids, nextId: this.#nextId, isOverdue: this.#isOverdue });
    if (ready > 0) void this.#store(ids.slice(0, ready));
    else if (ids.length > 0) this.#awaitMissing();
  }

  #awaitMissing(): void {
    this.#cancelAlarm ??= this.#options.clock.schedule(GAP_TIMEOUT_MS, () => {
      this.#cancelAlarm = undefined;
      this.#isOverdue = true;
      this.#advance();
    });
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
    const places = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { stored } of places) stored.reject(new Error("an update was posted: the account stops"));
  }
}
