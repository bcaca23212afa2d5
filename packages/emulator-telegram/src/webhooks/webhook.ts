import type { Clock, Signal } from "@banyan/emulator-kit";
import type { Update, UpdateQueue } from "../bots/update-queue.ts";
import { EmulatorError } from "../ports/error.ts";
import { decideRetryDelayS } from "./retry-delay.ts";
import type { WebhookDelivery } from "./webhook-delivery.ts";
import { postUpdate, type WebhookAnswer } from "./webhook-post.ts";
import { findCallable, type WebhookTarget } from "./webhook-target.ts";

export interface WebhookParts {
  readonly updates: UpdateQueue;
  readonly clock: Clock;
  readonly random: () => number;
  readonly changed: Signal;
}

/** How one update fares that was sent and not taken yet. */
interface Trial {
  failures: number;
  dueMs: number;
  isUnderWay: boolean;
}

/** After so long of 410 the webhook is taken for closed. */
const GONE_LIMIT_MS = 23 * 60 * 60 * 1000;
/** Of attempts, and of updates that can be sent again. */
const MEMORY_LIMIT = 10_000;

/** The webhook of one bot: sends what waits there, up to `maxConnections` at once, until each is taken. */
export class Webhook {
  readonly deliveries: WebhookDelivery[] = [];
  /** Nothing is sent by itself. */
  isHeld = false;
  lastError: { readonly atMs: number; readonly message: string } | undefined;
  readonly #parts: WebhookParts;
  readonly #trials = new Map<number, Trial>();
  readonly #sent = new Map<number, Update>();
  #target: WebhookTarget | undefined;
  #ending = new AbortController();
  #goneSinceMs: number | undefined;
  #cancelAlarm: () => void = () => undefined;
  #lastSeq = 0;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  get target(): WebhookTarget | undefined {
    return this.#target;
  }

  /** Resolves with how many attempts have ended, as soon as there are `count`, or after `timeoutMs`. */
  async awaitSettled(count: number, timeoutMs: number): Promise<number> {
    const read = (): number => this.deliveries.filter(({ isSettled }) => isSettled).length;
    await this.#parts.changed.until(() => read() >= count, timeoutMs);
    return read();
  }

  /** Ends calls under way; what they carried stays in the queue. Undefined: none from now on. */
  set(target: WebhookTarget | undefined): void {
    this.#ending.abort();
    this.#ending = new AbortController();
    this.#cancelAlarm();
    this.#trials.clear();
    this.#target = target;
    this.lastError = undefined;
    this.#goneSinceMs = undefined;
    this.wake();
  }

  /** Sends what may be sent now. */
  wake(): void {
    const { updates, clock } = this.#parts;
    const target = this.#target;
    if (target === undefined || this.isHeld || findCallable(target) === undefined) return;
    this.#cancelAlarm();
    const nowMs = clock.nowMs();
    updates.expire(nowMs);
    let free = target.maxConnections - [...this.#trials.values()].filter(({ isUnderWay }) => isUnderWay).length;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const update of updates.take(2 * target.maxConnections)) {
      const trial = this.#trials.get(update.update_id);
      if (trial?.isUnderWay === true) continue;
      if (free > 0 && (trial?.dueMs ?? nowMs) <= nowMs) {
        free -= 1;
        void this.#try(update);
      } else if (trial !== undefined) nextMs = Math.min(nextMs, trial.dueMs);
    }
    if (nextMs > nowMs && nextMs < Number.POSITIVE_INFINITY)
      this.#cancelAlarm = clock.schedule(nextMs - nowMs, () => this.wake());
  }

  /** Sends one now, whatever was planned, also one that was taken already. Resolves with how it ended. */
  async deliver(updateId: number): Promise<WebhookDelivery> {
    const waiting = this.#parts.updates.find(updateId);
    const update = waiting ?? this.#sent.get(updateId);
    if (update === undefined)
      throw new EmulatorError("unknown_update", `delivering update ${updateId}: the bot has none with that id`);
    return this.#try(update);
  }

  /** Posts as anybody may who knows the address. */
  async forge(body: string, secretToken: string | undefined): Promise<WebhookDelivery> {
    const delivery = this.#open();
    return this.#settle(delivery, await this.#post(body, secretToken));
  }

  async #try(update: Update): Promise<WebhookDelivery> {
    const id = update.update_id;
    const { signal } = this.#ending;
    const trial = this.#trials.get(id) ?? { failures: 0, dueMs: 0, isUnderWay: false };
    trial.isUnderWay = true;
    this.#trials.set(id, trial);
    this.#sent.set(id, update);
    if (this.#sent.size > MEMORY_LIMIT)
      for (const oldest of [...this.#sent.keys()].slice(0, 1)) this.#sent.delete(oldest);
    const delivery = this.#open(id);
    const answer = await this.#post(JSON.stringify(update), this.#target?.secretToken);
    trial.isUnderWay = false;
    // Whoever took the webhook away, or set another one, leaves the update unconfirmed.
    if (signal.aborted) return this.#settle(delivery, { error: "Webhook connection closed", retryAfterS: 0 });
    if (answer.error === undefined) {
      this.#parts.updates.remove(id);
      this.#trials.delete(id);
      this.#goneSinceMs = undefined;
    } else this.#noteFailure(trial, answer, answer.error);
    this.#settle(delivery, answer);
    this.wake();
    return delivery;
  }

  #noteFailure(trial: Trial, { status, retryAfterS }: WebhookAnswer, message: string): void {
    const { clock, random } = this.#parts;
    const nowMs = clock.nowMs();
    trial.dueMs = nowMs + decideRetryDelayS(trial.failures, retryAfterS, random()) * 1000;
    trial.failures += 1;
    this.lastError = { atMs: nowMs, message };
    this.#goneSinceMs = status === 410 ? (this.#goneSinceMs ?? nowMs) : undefined;
    if (this.#goneSinceMs !== undefined && nowMs > this.#goneSinceMs + GONE_LIMIT_MS) this.set(undefined);
  }

  #post(body: string, secretToken: string | undefined): Promise<WebhookAnswer> {
    const url = this.#target === undefined ? undefined : findCallable(this.#target);
    if (url === undefined)
      throw new EmulatorError(
        "unknown_update",
        "posting to a webhook: the bot has none that is plain http on loopback",
      );
    return postUpdate({ url, secretToken, body, clock: this.#parts.clock, signal: this.#ending.signal });
  }

  #open(updateId?: number): WebhookDelivery {
    this.#lastSeq += 1;
    const own = updateId === undefined ? {} : { updateId };
    const delivery: WebhookDelivery = { seq: this.#lastSeq, ...own, atMs: this.#parts.clock.nowMs(), isSettled: false };
    this.deliveries.push(delivery);
    if (this.deliveries.length > MEMORY_LIMIT) this.deliveries.shift();
    return delivery;
  }

  #settle(delivery: WebhookDelivery, { status, error }: WebhookAnswer): WebhookDelivery {
    if (status !== undefined) delivery.status = status;
    if (error !== undefined) delivery.error = error;
    delivery.isSettled = true;
    this.#parts.changed.fire();
    return delivery;
  }
}
