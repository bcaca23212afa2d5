import { createInsistentCommit } from "../intake/commit.ts";
import { createUpdateIntake, type UpdateIntakeOptions } from "../intake/update-intake.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import { createAlbumPatience } from "./album-patience.ts";
import { createCursorKeeper } from "./cursor-keeper.ts";
import { createPollTrouble, type PollTroubleOptions } from "./poll-trouble.ts";
import { pollUpdates } from "./update-poller.ts";

export interface PollListeningOptions
  extends Omit<PollTroubleOptions, "webhook">,
    Omit<UpdateIntakeOptions, "keeper" | "commit"> {
  readonly config: TelegramConfig;
  readonly cursor: string | undefined;
}

/** Asks Telegram for updates until the signal aborts or the account fails. Never rejects. */
export async function listenByPolling(options: PollListeningOptions): Promise<void> {
  const keeper = createCursorKeeper(options);
  const intake = createUpdateIntake({ ...options, keeper, commit: createInsistentCommit(options) });
  const trouble = createPollTrouble({ ...options, webhook: options.config.webhook });
  await pollUpdates({ ...options, keeper, intake: createAlbumPatience({ ...options, intake }), trouble });
}
