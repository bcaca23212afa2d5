import { decideBackoffMs, pause } from "@banyan/plugin-sdk/kit";
import type { Bot } from "grammy/web";
import type { TelegramConfig } from "../telegram-config.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import { decidePollRecovery } from "./poll-recovery.ts";
import type { PollSurroundings } from "./poll-surroundings.ts";

/** What a poller remembers of its failures, and how it gets over them. */
export interface PollTrouble {
  /** The last poll failed, and no other program is the reason: the next one may be short. */
  readonly isPassing: boolean;
  /** To be called when a poll was answered. */
  end(): void;
  /** Resolves when it is time to poll again; `false` when the account has failed. Never rejects. */
  overcome(error: unknown): Promise<boolean>;
}

export interface PollTroubleOptions extends PollSurroundings {
  readonly bot: Bot;
  readonly webhook: TelegramConfig["webhook"];
}

const CONFLICTS: ReadonlySet<string | undefined> = new Set(["T32", "T33", "T34"]);
/** Two pollers that take turns both succeed now and then; only after this long is the other one gone. */
const CONFLICT_MEMORY_MS = 5 * 60_000;

export function createPollTrouble(options: PollTroubleOptions): PollTrouble {
  const { bot, webhook, health, reportFault, clock, log, random, signal } = options;
  let failures = 0;
  let conflicts = 0;
  let lastConflictAt = 0;
  let hasDeletedWebhook = false;

  async function deleteWebhook(): Promise<void> {
    try {
      await bot.api.deleteWebhook({ drop_pending_updates: false });
      hasDeletedWebhook = true;
      log.warn(
        {},
        "Telegram had a webhook for this bot; it was deleted, because this account polls. What waited there is taken in",
      );
    } catch (error) {
      if (signal.aborted) return;
      health.retry(reportFault("Deleting the webhook", error));
      await pause(clock, decideBackoffMs(failures, random()), signal);
    }
  }

  function noteConflict(): void {
    if (clock.monotonic() - lastConflictAt > CONFLICT_MEMORY_MS) conflicts = 0;
    conflicts += 1;
    lastConflictAt = clock.monotonic();
  }

  return {
    get isPassing() {
      return failures > 0;
    },
    end() {
      failures = 0;
    },
    async overcome(error) {
      const fault = classifyTelegramError(error);
      const isConflict = CONFLICTS.has(fault.row);
      const memory = { failures, conflicts, webhook, hasDeletedWebhook };
      const recovery = decidePollRecovery({ ...memory, fault, random: random() });
      const hint = recovery.kind === "wait" ? recovery.hint : undefined;
      const report = reportFault("Polling Telegram", error, hint === undefined ? fault : { ...fault, advice: hint });
      if (isConflict) noteConflict();
      else failures += 1;
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
