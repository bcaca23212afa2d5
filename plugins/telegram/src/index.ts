/** Telegram as a channel of Banyan: text in private chats, groups and channels. */
import { type ChannelPlugin, defineChannelPlugin } from "@banyan/plugin-sdk";
import { inspectTelegram } from "./inspect-telegram.ts";
import { measureMarkdown, TEXT_LIMIT_UNITS } from "./markdown/measure-markdown.ts";
import { FILES } from "./sending/file-sender.ts";
import { type TelegramConfig, telegramConfig } from "./telegram-config.ts";
import { connectTelegram } from "./telegram-connection.ts";

const telegram: ChannelPlugin<TelegramConfig> = defineChannelPlugin({
  id: "telegram",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm", "group", "channel"],
    text: { limit: TEXT_LIMIT_UNITS, measure: measureMarkdown },
    threads: true,
    edits: true,
    delivery: "at-least-once",
    files: FILES,
    buttons: true,
  },
  config: telegramConfig,
  connect: (context) => connectTelegram(context, Math.random),
  inspect: inspectTelegram,
});

export default telegram;
