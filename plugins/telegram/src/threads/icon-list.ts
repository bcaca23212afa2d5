import type { Clock, Log } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import type { FaultReport } from "../fault-report.ts";
import type { TopicIcon } from "./topic-icon.ts";

/** An icon is a courtesy: nobody waits longer for the list. */
const PATIENCE_MS = 3_000;

/** The icons that Telegram lets bots give to topics, asked for once; after a failure again. */
export interface IconList {
  /** `undefined` where it cannot be had just now. Never rejects. */
  read(): Promise<readonly TopicIcon[] | undefined>;
  /** Telegram takes one of them no more. */
  forget(): void;
}

export interface IconListOptions {
  readonly bot: Bot;
  readonly clock: Clock;
  readonly log: Log;
  readonly reportFault: FaultReport;
}

export function createIconList({ bot, clock, log, reportFault }: IconListOptions): IconList {
  let asked: Promise<readonly TopicIcon[] | undefined> | undefined;
  async function ask(): Promise<readonly TopicIcon[] | undefined> {
    try {
      const stickers = await bot.api.getForumTopicIconStickers();
      return stickers.flatMap(({ emoji, custom_emoji_id: customEmojiId }) =>
        emoji === undefined || customEmojiId === undefined ? [] : [{ emoji, customEmojiId }],
      );
    } catch (error) {
      asked = undefined;
      log.debug({ err: reportFault("Asking for the icons of topics", error) }, "a topic has no icon by its state");
      return undefined;
    }
  }
  return {
    read() {
      asked ??= ask();
      const late = Promise.withResolvers<undefined>();
      const cancel = clock.schedule(PATIENCE_MS, () => late.resolve(undefined));
      return Promise.race([asked, late.promise]).finally(cancel);
    },
    forget() {
      asked = undefined;
    },
  };
}
