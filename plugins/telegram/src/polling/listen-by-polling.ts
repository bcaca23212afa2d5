import type { ChannelContext } from "@banyan/plugin-sdk";
import { AlbumDesk } from "../intake/album-desk.ts";
import { createInsistentCommit } from "../intake/commit.ts";
import { createPieceStore } from "../intake/piece-store.ts";
import { createUpdateIntake, type UpdateIntakeOptions } from "../intake/update-intake.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import { buildWebhookPlace } from "../webhook/webhook-place.ts";
import { createCursorKeeper } from "./cursor-keeper.ts";
import { createPollTrouble, type PollTroubleOptions } from "./poll-trouble.ts";
import { pollUpdates } from "./update-poller.ts";

export interface PollListeningOptions
  extends Omit<PollTroubleOptions, "webhook">,
    Pick<ChannelContext<unknown>, "receive">,
    Omit<UpdateIntakeOptions, "store" | "keeper" | "commit"> {
  readonly config: TelegramConfig;
  readonly account: string;
  readonly cursor: string | undefined;
}

/** Asks Telegram for updates until the signal aborts or the account fails. Never rejects. */
export async function listenByPolling(options: PollListeningOptions): Promise<void> {
  const store = createPieceStore(options.cursor, options.receive);
  const keeper = createCursorKeeper({ ...options, cursor: store.cursor, receive: store.receive });
  const intake = createUpdateIntake({ ...options, store, keeper, commit: createInsistentCommit(options) });
  const albums = new AlbumDesk({ ...options, store, intake, keeper, isPosted: false });
  const trouble = createPollTrouble({ ...options, webhook: await decidePolicy(options, keeper.mark) });
  await pollUpdates({ ...options, keeper, intake: albums.take, trouble });
}

/** The account's own webhook, which it left set when it was posted to, is never refused. */
async function decidePolicy(
  { bot, config, account }: PollListeningOptions,
  mark: string | undefined,
): Promise<TelegramConfig["webhook"]> {
  if (config.webhook === "delete" || mark === undefined) return config.webhook;
  // Where nobody can say whose it is, it is left alone.
  const { url = "" } = await bot.api.getWebhookInfo().catch(() => ({ url: "" }));
  return url.endsWith(buildWebhookPlace(config, account).path) ? "delete" : "refuse";
}
