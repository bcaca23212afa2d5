import { createInsistentCommit } from "../intake/commit.ts";
import { createPieceStore, type PieceStore } from "../intake/piece-store.ts";
import { createUpdateIntake, type UpdateIntakeOptions } from "../intake/update-intake.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import { buildWebhookPlace } from "../webhook/webhook-place.ts";
import { createAlbumPatience } from "./album-patience.ts";
import { createCursorKeeper } from "./cursor-keeper.ts";
import { createPollTrouble, type PollTroubleOptions } from "./poll-trouble.ts";
import { pollUpdates } from "./update-poller.ts";

export interface PollListeningOptions
  extends Omit<PollTroubleOptions, "webhook">,
    Omit<UpdateIntakeOptions, "keeper" | "commit"> {
  readonly config: TelegramConfig;
  readonly account: string;
  readonly cursor: string | undefined;
}

/** Asks Telegram for updates until the signal aborts or the account fails. Never rejects. */
export async function listenByPolling(options: PollListeningOptions): Promise<void> {
  const store = createPieceStore(options.cursor, options.receive);
  const { receive } = store;
  const cursor = await takeLeftPieces(store, options);
  const keeper = createCursorKeeper({ ...options, cursor, receive });
  const intake = createUpdateIntake({ ...options, receive, keeper, commit: createInsistentCommit(options) });
  const trouble = createPollTrouble({ ...options, webhook: await decidePolicy(options, keeper.mark) });
  await pollUpdates({ ...options, keeper, intake: createAlbumPatience({ ...options, intake }), trouble });
}

/**
 * Joins what is left of albums that were posted to this account before it polled: they are confirmed there. Resolves with the
 * cursor as it is then, which says nothing to the polling.
 */
async function takeLeftPieces(store: PieceStore, options: PollListeningOptions): Promise<string | undefined> {
  const { cursor, pieces, receive } = store;
  if (pieces.length === 0) return cursor;
  const keeper = createCursorKeeper({ ...options, cursor, receive, isPosted: true });
  store.set([]);
  await createUpdateIntake({ ...options, receive, keeper, commit: createInsistentCommit(options) })(pieces);
  return keeper.format(0);
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
