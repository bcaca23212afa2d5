/**
 * The loop of one account: poll → translate → receive → confirm. An offset is confirmed, by the next poll, only after
 * `receive` has stored the batch; a batch that was not stored is received again and never fetched again.
 */
import type { Clock, InboundMessage } from "@banyan/plugin-sdk";
import type { Bot } from "grammy";
import type { Update } from "grammy/types";
import type { AccountHealth } from "./account-health.ts";
import { POLL_SECONDS } from "./bot-client.ts";
import type { FaultReport } from "./fault-report.ts";
import { pause, settleUnlessAborted } from "./pause.ts";
import { decideBackoffMs } from "./poll-recovery.ts";
import type { PollTrouble } from "./poll-trouble.ts";

export interface UpdatePollerOptions {
  readonly bot: Bot;
  /** The first offset, as stored with the last batch. */
  readonly cursor: string | undefined;
  /** Must not throw; `undefined` leaves an update out, which is confirmed all the same. */
  readonly translate: (update: Update) => InboundMessage | undefined;
  readonly receive: (messages: readonly InboundMessage[], options: { cursor: string }) => Promise<unknown>;
  readonly health: AccountHealth;
  readonly trouble: PollTrouble;
  readonly reportFault: FaultReport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Telegram's cap. */
const BATCH_LIMIT = 100;
/** Sent with every poll, because Telegram keeps the list of whoever polled last. */
const UPDATE_KINDS = ["message", "edited_message"] as const;
/** A server that answers "nothing" at once, instead of holding the poll, is not asked more often than this. */
const EMPTY_POLL_MIN_MS = 500;

/** Runs until the signal aborts or the account fails. Never rejects. */
export async function pollUpdates(options: UpdatePollerOptions): Promise<void> {
  const { bot, trouble, health, clock, signal } = options;
  let offset = parseCursor(options.cursor);
  while (!signal.aborted) {
    try {
      const askedAt = clock.monotonic();
      const updates = await bot.api.getUpdates({
        offset,
        limit: BATCH_LIMIT,
        timeout: POLL_SECONDS,
        allowed_updates: UPDATE_KINDS,
      });
      trouble.end();
      if (updates.length > 0) offset = await receiveBatch(options, updates);
      else if (clock.monotonic() - askedAt < EMPTY_POLL_MIN_MS) await pause(clock, EMPTY_POLL_MIN_MS, signal);
      health.recover();
    } catch (error) {
      if (signal.aborted || !(await trouble.overcome(error))) return;
    }
  }
}

/** 0 asks for the oldest update that is not confirmed. */
function parseCursor(cursor: string | undefined): number {
  const offset = Number(cursor ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

/** Resolves with the next offset once the batch is stored; rejects only when the signal aborts. */
async function receiveBatch(options: UpdatePollerOptions, updates: readonly Update[]): Promise<number> {
  const { translate, receive, health, clock, random, signal, reportFault } = options;
  const messages: InboundMessage[] = [];
  let offset = 0;
  for (const update of updates) {
    offset = Math.max(offset, update.update_id + 1);
    const message = translate(update);
    if (message !== undefined) messages.push(message);
  }
  for (let failures = 0; ; failures += 1) {
    try {
      await settleUnlessAborted(receive(messages, { cursor: String(offset) }), signal);
      return offset;
    } catch (error) {
      signal.throwIfAborted();
      const what = `${messages.length} messages were not stored`;
      const advice = "they wait at Telegram and are taken in again";
      health.retry(reportFault("Receiving from Telegram", error, { class: "definite", what, advice }));
      await pause(clock, decideBackoffMs(failures, random()), signal);
    }
  }
}
