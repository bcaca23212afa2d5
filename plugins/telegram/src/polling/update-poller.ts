/**
 * The loop of one account: poll → take in → confirm. An offset is confirmed, by the next poll, only after the batch is
 * stored; a batch that was not stored is received again and never fetched again.
 */
import type { Clock } from "@banyan/plugin-sdk";
import type { AccountHealth } from "@banyan/plugin-sdk/kit";
import { pause, settleUnlessAborted } from "@banyan/plugin-sdk/kit";
import type { Bot } from "grammy/web";
import { POLL_SECONDS } from "../bot-client.ts";
import type { UpdateIntake } from "../intake/update-intake.ts";
import { UPDATE_KINDS } from "../updates/update-translation.ts";
import type { CursorKeeper } from "./cursor-keeper.ts";
import type { PollTrouble } from "./poll-trouble.ts";

export interface UpdatePollerOptions {
  readonly bot: Bot;
  readonly keeper: CursorKeeper;
  readonly intake: UpdateIntake;
  readonly health: AccountHealth;
  readonly trouble: PollTrouble;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Telegram's cap. */
const BATCH_LIMIT = 100;
/** The real server cuts an answer to one update when the same offset is asked for again sooner than this. */
const EMPTY_POLL_MIN_MS = 500;

/** Runs until the signal aborts or the account fails. Never rejects. */
export async function pollUpdates(options: UpdatePollerOptions): Promise<void> {
  const { bot, keeper, intake, trouble, health, clock, signal } = options;
  let isStoring = false;
  while (!signal.aborted) {
    try {
      const askedAt = clock.monotonic();
      const updates = await bot.api.getUpdates({
        offset: keeper.offset,
        limit: BATCH_LIMIT,
        // Until the first answer nobody knows that a trouble is over.
        timeout: trouble.isPassing || keeper.isLate ? 0 : POLL_SECONDS,
        allowed_updates: UPDATE_KINDS,
      });
      trouble.end();
      keeper.noteAnswer();
      isStoring = updates.length > 0;
      if (isStoring) await intake(updates);
      isStoring = false;
      health.recover();
      if (updates.length > 0) continue;
      await settleUnlessAborted(keeper.keep(false), signal);
      if (clock.monotonic() - askedAt < EMPTY_POLL_MIN_MS) await pause(clock, EMPTY_POLL_MIN_MS, signal);
    } catch (error) {
      if (signal.aborted || !(await trouble.overcome(error))) break;
    }
  }
  // A store that does not answer would not answer this either.
  if (!isStoring) await keeper.keep(true);
}
