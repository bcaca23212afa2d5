import type { Store, TimerRow } from "@banyan/store";
import type { Ports } from "../ports/ports.ts";
import { watchWallClock } from "../ports/watch-wall-clock.ts";

/** So many are fired beside each other: most only write one step. */
const MOST_PARALLEL = 8;
/** The store is looked at this often also where nobody has said that a timer was armed. */
const POLL_MS = 60_000;
/** What is armed for later than this is found in time by a look that comes anyway. */
const FAR_MS = 2 * POLL_MS;
/** How far the wall clock may leave the monotonic one between two looks; timers may be as short as seconds. */
const SET_BY_AT_MOST_MS = 2_000;
/** A wall clock that has jumped is believed when it has run evenly for so long. */
const EVEN_MS = 60_000;
/** A timer that could not be fired is tried again after this, each time after twice as long. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** Timers that fail are read past, but no page is longer. */
const MOST_ROWS = 1_000;

export interface TimerRunnerParts {
  readonly store: { readonly read: Pick<Store["read"], "timers"> };
  readonly ports: Pick<Ports, "clock" | "log">;
  /** Does what is due, and removes the timer or arms it anew in the store. Repeatable: after a crash it is due again. */
  fire(timer: TimerRow): Promise<void>;
}

interface Pause {
  readonly lengthMs: number;
  /** By the monotonic clock. */
  readonly endsAt: number;
}

/**
 * Fires the store's timers when they are due: never early, never one twice at a time. Not before `start`. After a jump
 * of the wall clock nothing is fired until it has run evenly for a minute.
 */
export class TimerRunner {
  readonly #parts: TimerRunnerParts;
  readonly #isEven: () => boolean;
  /** By the monotonic clock: before it the wall clock is not believed. */
  #believedFrom = 0;
  readonly #firing = new Map<string, Promise<void>>();
  readonly #pauses = new Map<string, Pause>();
  #cancel: () => void = () => undefined;
  #polling: Promise<void> | undefined;
  #isStale = false;
  #state: "new" | "open" | "closed" = "new";

  constructor(parts: TimerRunnerParts) {
    this.#parts = parts;
    this.#isEven = watchWallClock(parts.ports, SET_BY_AT_MOST_MS);
  }

  start(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    this.wake();
  }

  /** Timers were armed, the first of them due in so long. */
  wake(dueInMs = 0): void {
    if (this.#state !== "open" || dueInMs > FAR_MS) return;
    this.#isStale = true;
    this.#polling ??= this.#pollAll();
  }

  /** Fires nothing more; resolves when what was begun is done. */
  async close(): Promise<void> {
    this.#state = "closed";
    this.#cancel();
    await this.#polling;
    await Promise.all(this.#firing.values());
  }

  async #pollAll(): Promise<void> {
    const { clock, log } = this.#parts.ports;
    let waitMs = POLL_MS;
    while (this.#isStale && this.#state === "open") {
      this.#isStale = false;
      try {
        waitMs = await this.#poll();
      } catch (error) {
        log.error({ err: error, retryInMs: POLL_MS }, "what is due could not be read");
        waitMs = POLL_MS;
      }
    }
    this.#polling = undefined;
    this.#cancel();
    if (this.#state === "open") this.#cancel = clock.schedule(waitMs, () => this.wake());
  }

  /** Fires what is due; resolves with how long to sleep. */
  async #poll(): Promise<number> {
    const { clock, log } = this.#parts.ports;
    if (!this.#isEven()) {
      log.warn({}, "the machine's clock has jumped; nothing that is due is done before it has run evenly for a minute");
      this.#believedFrom = clock.monotonic() + EVEN_MS;
    }
    const disbeliefMs = this.#believedFrom - clock.monotonic();
    if (disbeliefMs > 0) return disbeliefMs;
    this.#dropOldPauses();
    const room = MOST_PARALLEL - this.#firing.size;
    // Whatever ends makes room, and looks again.
    if (room <= 0) return POLL_MS;
    const limit = Math.min(MOST_ROWS, MOST_PARALLEL + this.#pauses.size + 1);
    const rows = await this.#parts.store.read.timers({ limit });
    const free = rows.filter(({ id }) => !this.#firing.has(id) && !this.#isPaused(id));
    const due = free.filter(({ dueAtMs }) => dueAtMs <= clock.now());
    const begun = this.#state === "open" ? due.slice(0, room) : [];
    for (const timer of begun) this.#firing.set(timer.id, this.#fire(timer));
    const next = free[due.length];
    const untilNextMs = due.length > begun.length || next === undefined ? POLL_MS : next.dueAtMs - clock.now();
    const retriesMs = [...this.#pauses.values()].map(({ endsAt }) => endsAt - clock.monotonic());
    // One that is tried again now has its old pause still.
    const untilRetryMs = Math.min(...retriesMs.filter((leftMs) => leftMs > 0));
    return Math.max(1, Math.min(POLL_MS, untilNextMs, untilRetryMs));
  }

  async #fire(timer: TimerRow): Promise<void> {
    const { ports, fire } = this.#parts;
    const { id, kind, subject } = timer;
    try {
      await fire(timer);
      this.#pauses.delete(id);
    } catch (error) {
      const lengthMs = Math.min(LONGEST_PAUSE_MS, (this.#pauses.get(id)?.lengthMs ?? FIRST_PAUSE_MS / 2) * 2);
      this.#pauses.set(id, { lengthMs, endsAt: ports.clock.monotonic() + lengthMs });
      // A store that closes under it keeps the timer for the next start.
      if (this.#state === "open") {
        ports.log.error({ err: error, kind, subject, retryInMs: lengthMs }, "what was due could not be done");
      }
    }
    this.#firing.delete(id);
    this.wake();
  }

  #isPaused(id: string): boolean {
    return (this.#pauses.get(id)?.endsAt ?? 0) > this.#parts.ports.clock.monotonic();
  }

  /** Of timers that went by other ways while they were paused. */
  #dropOldPauses(): void {
    const longAgo = this.#parts.ports.clock.monotonic() - LONGEST_PAUSE_MS;
    for (const [id, { endsAt }] of this.#pauses) if (endsAt < longAgo) this.#pauses.delete(id);
  }
}
