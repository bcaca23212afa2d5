import type { Clock, Log } from "@banyan/plugin-sdk";
import type { Bot } from "grammy";
import type { AccountHealth } from "./account-health.ts";
import type { FaultReport } from "./fault-report.ts";
import { pause } from "./pause.ts";
import { decideBackoffMs, decidePollRecovery } from "./poll-recovery.ts";
import { classifyTelegramError } from "./telegram-fault.ts";

/** What a poller remembers of its failures, and how it gets over them. */
export interface PollTrouble {
  /** To be called when a poll was answered. */
  end(): void;
  /** Resolves when it is time to poll again; `false` when the account has failed. Never rejects. */
  overcome(error: unknown): Promise<boolean>;
}

export interface PollTroubleOptions {
  readonly bot: Bot;
  readonly health: AccountHealth;
  readonly reportFault: FaultReport;
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export function createPollTrouble(options: PollTroubleOptions): PollTrouble {
  const { bot, health, reportFault, clock, log, random, signal } = options;
  let failures = 0;
  let hasDeletedWebhook = false;

  async function deleteWebhook(): Promise<void> {
    try {
      await bot.api.deleteWebhook({ drop_pending_updates: false });
      hasDeletedWebhook = true;
      log.warn({}, "Telegram had a webhook for this bot; it was deleted, because this account polls");
    } catch (error) {
      if (signal.aborted) return;
      health.retry(reportFault("Deleting the webhook", error));
      await pause(clock, decideBackoffMs(failures, random()), signal);
    }
  }

  return {
    end() {
      failures = 0;
    },
    async overcome(error) {
      const fault = classifyTelegramError(error);
      const recovery = decidePollRecovery({ fault, failures, hasDeletedWebhook, random: random() });
      const hint = recovery.kind === "wait" ? recovery.hint : undefined;
      const report = reportFault("Polling Telegram", error, hint === undefined ? fault : { ...fault, advice: hint });
      failures += 1;
      if (recovery.kind === "stop") {
        health.fail(report);
        return false;
      }
      health.retry(report);
      if (recovery.kind === "wait") await pause(clock, recovery.delayMs, signal);
      else await deleteWebhook();
      return true;
    },
  };
}
