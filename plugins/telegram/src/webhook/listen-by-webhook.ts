import type { ChannelContext, ChannelHttp } from "@banyan/plugin-sdk";
import type { PlatformTime } from "@banyan/plugin-sdk/kit";
import type { Update } from "grammy/types";
import type { Bot } from "grammy/web";
import { AlbumDesk } from "../intake/album-desk.ts";
import { createSingleCommit } from "../intake/commit.ts";
import { createPieceStore } from "../intake/piece-store.ts";
import { createUpdateIntake, type UpdateIntakeOptions } from "../intake/update-intake.ts";
import { createCursorKeeper } from "../polling/cursor-keeper.ts";
import type { PollSurroundings } from "../polling/poll-surroundings.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import type { TranslatedUpdate } from "../updates/update-translation.ts";
import { readHost } from "./decide-webhook.ts";
import { UpdateLine } from "./update-line.ts";
import { mountWebhook } from "./webhook-endpoint.ts";
import { buildWebhookPlace, type WebhookPlace } from "./webhook-place.ts";
import { watchWebhook } from "./webhook-watch.ts";

export interface WebhookListeningOptions
  extends PollSurroundings,
    Pick<ChannelContext<unknown>, "account" | "receive" | "migrateChat"> {
  readonly bot: Bot;
  readonly config: TelegramConfig;
  readonly cursor: string | undefined;
  readonly http: ChannelHttp;
  readonly platformTime: Pick<PlatformTime, "now">;
  readonly translate: (update: Update) => TranslatedUpdate;
  readonly takeTopicNews: UpdateIntakeOptions["takeTopicNews"];
}

/** Serves first and sets then, so that nothing is posted in vain. Resolves when the signal has aborted. Never rejects. */
export async function listenByWebhook(options: WebhookListeningOptions): Promise<void> {
  const { account, bot, config, clock, log, signal, health, platformTime } = options;
  const place = buildWebhookPlace(config, account);
  const store = createPieceStore(options.cursor, options.receive);
  const keeper = createCursorKeeper({ ...options, cursor: store.cursor, receive: store.receive, isPosted: true });
  const commit = createSingleCommit(options);
  const intake = createUpdateIntake({ ...options, store, keeper, commit });
  const albums = new AlbumDesk({ ...options, store, intake, keeper, isPosted: true });
  const noteSeen = () => store.receive([], { cursor: keeper.format([], []) });
  const note = () => commit("messages were not noted", noteSeen);
  const line = new UpdateLine({ intake: albums.take, keeper, note, clock, log, signal });
  const readTime = (): number => platformTime.now() ?? clock.now();
  // What failed before is what an earlier process was not there for.
  let takenAt = readTime();
  async function take(update: Update): Promise<void> {
    await line.take(update);
    takenAt = readTime();
    keeper.noteAnswer();
    health.recover();
  }
  const unmount = mountWebhook({ ...options, place, take });
  await watchWebhook({ ...options, bot, place, policy: config.webhook, keeper, takenAt: () => takenAt });
  unmount();
  if (signal.aborted) sayGoodbye(place, log);
}

function sayGoodbye({ url }: WebhookPlace, log: PollSurroundings["log"]): void {
  log.info({}, `Telegram's webhook to ${readHost(url)} stays set: what people write waits there for a day`);
}
