/** Keeps the webhook set while the account works: one call after the other, for Telegram ends those that overlap. */
import { decideBackoffMs, type PlatformTime, pause } from "@banyan/plugin-sdk/kit";
import type { WebhookInfo } from "grammy/types";
import type { Bot } from "grammy/web";
import type { CursorKeeper } from "../polling/cursor-keeper.ts";
import type { PollSurroundings } from "../polling/poll-surroundings.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import { UPDATE_KINDS } from "../updates/update-translation.ts";
import { decideWebhook, readHost, type WebhookDecision } from "./decide-webhook.ts";
import { MOST_CONNECTIONS, type WebhookPlace } from "./webhook-place.ts";

export interface WebhookWatchOptions extends PollSurroundings {
  readonly bot: Bot;
  readonly place: WebhookPlace;
  readonly policy: TelegramConfig["webhook"];
  readonly keeper: CursorKeeper;
  readonly platformTime: Pick<PlatformTime, "now">;
  /** When an update was taken last, in milliseconds since the epoch by Telegram's clock; at first the start. */
  readonly takenAt: () => number;
}

/** An operator hears within a minute that nothing comes any more. */
export const CHECK_EVERY_MS = 60_000;
/** Two programs that each put their own webhook back would lose messages to one another. */
const RESTORE_PAUSE_MS = 60 * 60_000;

/** Runs until the signal aborts or the account fails. Never rejects. */
export async function watchWebhook(options: WebhookWatchOptions): Promise<void> {
  const { bot, place, policy, keeper, takenAt, health, reportFault, clock, random, signal } = options;
  let failures = 0;
  let wasSet = false;
  let wasUpdated = false;
  let restoredAt = Number.NEGATIVE_INFINITY;
  let isTroubled = false;

  async function check(): Promise<void> {
    const info = await bot.api.getWebhookInfo();
    const decision = decideWebhook({
      info,
      url: place.url,
      allowedUpdates: UPDATE_KINDS,
      isSecretKnown: keeper.mark === place.mark,
      policy,
      wasSet,
      wasUpdated,
      wasRestored: clock.monotonic() - restoredAt < RESTORE_PAUSE_MS,
      takenAt: takenAt(),
    });
    if (decision.kind === "set") await set(decision.why, info);
    else if (decision.kind !== "fine") return complain(decision);
    wasSet = true;
    if (info.pending_update_count === 0) keeper.noteAnswer();
    await keeper.keep(decision.kind === "set");
    if (isTroubled) health.recover();
    isTroubled = false;
  }

  async function set(why: (WebhookDecision & { kind: "set" })["why"], info: WebhookInfo): Promise<void> {
    await bot.api.setWebhook(place.url, {
      secret_token: place.secret,
      allowed_updates: UPDATE_KINDS,
      max_connections: MOST_CONNECTIONS,
    });
    keeper.noteMark(place.mark);
    wasUpdated ||= why === "outdated";
    if (wasSet && why !== "outdated") restoredAt = clock.monotonic();
    announce(options, why, info, wasSet);
  }

  function complain({ what, ...more }: WebhookDecision & { kind: "leave" | "failing" }): void {
    isTroubled = true;
    const advice = "advice" in more ? more.advice : `see that ${readHost(place.url)} leads to this gateway by https`;
    health.retry(reportFault("Receiving from Telegram", undefined, { class: "definite", what, advice }));
  }

  while (!signal.aborted) {
    let waitMs = CHECK_EVERY_MS;
    try {
      await check();
      failures = 0;
    } catch (error) {
      if (signal.aborted) break;
      const fault = classifyTelegramError(error);
      const report = reportFault("Setting Telegram's webhook", error, fault);
      if (fault.class === "unauthorized") return health.fail(report);
      isTroubled = true;
      health.retry(report);
      waitMs = fault.retryAfterMs ?? decideBackoffMs(failures, random());
      failures += 1;
    }
    await pause(clock, waitMs, signal);
  }
  await keeper.keep(true);
}

function announce(
  { place, log }: Pick<WebhookWatchOptions, "place" | "log">,
  why: string,
  info: WebhookInfo,
  wasSet: boolean,
): void {
  const where = `Telegram posts this bot's messages to ${readHost(place.url)} from now on`;
  if (why === "foreign")
    log.warn({}, `${where}, and no longer to ${readHost(info.url ?? "")}; what waited there comes here`);
  else if (wasSet && why === "none") log.warn({}, `${where}: another program had taken the webhook away`);
  else log.info({ why, waiting: info.pending_update_count }, where);
}
