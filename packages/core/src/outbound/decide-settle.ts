/** What becomes of a delivery after an attempt. Pure. */
import { ChannelError, type DeliveryReceipt } from "@banyan/plugin-sdk";
import type { DeliveryRow, SettleOutcome } from "@banyan/store";

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 5 * 60_000;
/** Between the attempts of a stuck row. */
export const STUCK_RETRY_MS: number = 30 * 60_000;
const STUCK_AFTER_ATTEMPTS = 30;
const DEFAULT_RATE_LIMIT_MS = 5_000;
/** Until a tap is searched again that takes a completion. The host's tap exists while the account is connected. */
const UNANNOUNCED_RETRY_MS = 1_000;
/** A read that failed once, such as on a busy disk, mostly succeeds the next time. */
const UNREAD_RETRY_MS = 1_000;

/** What waits after a failed attempt, besides the row. `moved`: the chat, until its new id is stored. */
export type Hold = "none" | "chat" | "account" | "account_stopped" | "moved";

export interface SettleDecision {
  readonly outcome: SettleOutcome;
  readonly hold: Hold;
}

type Attempted = Pick<DeliveryRow, "attempts" | "policy" | "maybeRepeated">;

/**
 * Decides what becomes of a delivery whose send has failed. An error that is not a `ChannelError` counts as ambiguous.
 * `random` in [0, 1) spreads retries. No number of attempts ends a delivery: after 30 it is `stuck`, shown, and still tried.
 */
export function decideSettle(error: unknown, row: Attempted, random: number): SettleDecision {
  const failure = error instanceof ChannelError ? error : new ChannelError("ambiguous", formatFailure(error));
  const sentence = failure.message;
  switch (failure.class) {
    case "rate_limited":
      return {
        outcome: {
          state: "pending",
          error: sentence,
          retryInMs: readRateLimit(failure.retryAfterMs),
          giveBackAttempt: true,
        },
        hold: failure.isAccountWide ? "account" : "chat",
      };
    case "unauthorized":
      return {
        outcome: { state: "pending", error: sentence, retryInMs: 0, giveBackAttempt: true },
        hold: "account_stopped",
      };
    case "message_gone":
      // The next attempt sends another message instead.
      return row.policy === "anchor" ? decideRetry(sentence, row, random, false) : decideRefused(sentence, row);
    case "definite":
      return decideRetry(sentence, row, random, false);
    case "migrated":
      return decideMigrated(failure, row, random);
    case "ambiguous":
      return decideAmbiguous(sentence, row, random);
    case "permanent":
    case "thread_gone":
    case "chat_gone":
    case "too_long":
    case "bad_markup":
      return decideRefused(sentence, row);
  }
}

/** An earlier attempt may have arrived: then it is not known whether anything was delivered. */
function decideRefused(sentence: string, row: Attempted): SettleDecision {
  return { outcome: { state: row.maybeRepeated ? "unknown" : "undeliverable", error: sentence }, hold: "none" };
}

export function isRateLimit(error: unknown): boolean {
  return error instanceof ChannelError && error.class === "rate_limited";
}

export function isThreadGone(error: unknown): boolean {
  return error instanceof ChannelError && error.class === "thread_gone";
}

/** A platform, or a plugin, may name a time that makes no sense. Then the default applies, so that it is not asked at once. */
export function readRateLimit(retryAfterMs: number | undefined): number {
  const isTime = retryAfterMs !== undefined && Number.isFinite(retryAfterMs) && retryAfterMs > 0;
  // A plugin may count in parts of a millisecond; the store keeps whole ones.
  return isTime ? Math.ceil(retryAfterMs) : DEFAULT_RATE_LIMIT_MS;
}

/** Is sent to the new chat at once. Attempts count, so that two chats that name each other do not cause an endless loop. */
function decideMigrated(failure: ChannelError, row: Attempted, random: number): SettleDecision {
  const retry = decideRetry(failure.message, row, random, false);
  if (failure.migratedTo === undefined || retry.outcome.state !== "pending") return retry;
  return { outcome: { ...retry.outcome, retryInMs: 0 }, hold: "moved" };
}

function decideAmbiguous(sentence: string, row: Attempted, random: number): SettleDecision {
  if (row.policy === "at-most-once") return { outcome: { state: "unknown", error: sentence }, hold: "none" };
  return decideRetry(sentence, row, random, true);
}

function decideRetry(sentence: string, row: Attempted, random: number, maybeRepeated: boolean): SettleDecision {
  const mark = maybeRepeated ? { maybeRepeated } : {};
  if (row.attempts >= STUCK_AFTER_ATTEMPTS) {
    // Later messages of the chat do not wait for a stuck one: each of them is tried.
    return { outcome: { state: "stuck", error: sentence, retryInMs: STUCK_RETRY_MS, ...mark }, hold: "none" };
  }
  const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** (row.attempts - 1), MAX_RETRY_MS);
  const retryInMs = Math.round(backoffMs * (0.75 + random / 2));
  return { outcome: { state: "pending", error: sentence, retryInMs, ...mark }, hold: "chat" };
}

function formatFailure(error: unknown): string {
  return `The plugin failed while sending: ${error instanceof Error ? error.message : String(error)}`;
}

/** Decides about a part of a message by the state of the part before it. `undefined`: it is sent. */
export function decideWithoutEarlierPart(earlier: Pick<DeliveryRow, "state" | "part">): SettleDecision | undefined {
  switch (earlier.state) {
    case "sent":
    case "sent_maybe_repeated":
    case "unknown":
      return undefined;
    case "undeliverable":
      return {
        outcome: { state: "undeliverable", error: `Part ${earlier.part} could not be delivered` },
        hold: "none",
      };
    case "pending":
    case "sending":
    case "stuck":
      return {
        outcome: {
          state: "stuck",
          error: `Part ${earlier.part} is not delivered yet`,
          retryInMs: STUCK_RETRY_MS,
          giveBackAttempt: true,
        },
        hold: "none",
      };
  }
}

/** Decides about a row whose account must wait since its attempt began. `undefined`: it is sent. */
export function decideHeld(leftMs: number): SettleDecision | undefined {
  if (leftMs === 0) return undefined;
  const error = "The platform asked the account to wait before this was sent";
  return { outcome: { state: "pending", error, retryInMs: Math.ceil(leftMs), giveBackAttempt: true }, hold: "chat" };
}

/** Decides about a part while the part before it cannot be read. Nothing was sent, so no attempt is counted. */
export function decideUnreadEarlierPart(error: unknown): SettleDecision {
  const sentence = `The part before it could not be read: ${error instanceof Error ? error.message : String(error)}`;
  return {
    outcome: { state: "pending", error: sentence, retryInMs: UNREAD_RETRY_MS, giveBackAttempt: true },
    hold: "chat",
  };
}

/** Decides about a completion that no tap took, such as when its account was just disconnected. No attempt is counted. */
export function decideUnannounced(): SettleDecision {
  return {
    outcome: {
      state: "pending",
      error: "No account took the completion when it was its turn",
      retryInMs: UNANNOUNCED_RETRY_MS,
      giveBackAttempt: true,
    },
    hold: "chat",
  };
}

/** A plugin may be written without types. */
export function isReceipt(receipt: unknown): receipt is DeliveryReceipt {
  const isObject = typeof receipt === "object" && receipt !== null;
  return isObject && "platformId" in receipt && typeof receipt.platformId === "string";
}

/** Builds the error of a call that the plugin did not end in time. */
export function buildLateError(): ChannelError {
  return new ChannelError(
    "ambiguous",
    "A message was sent: the plugin gave no answer in time; the platform is slow or the plugin hangs",
  );
}
