import { createTelegramEmulator, type TelegramEmulator } from "@banyan/emulator-telegram";
import { onTestFinished } from "vitest";

import { BOT_TOKEN } from "./bot-token.ts";

/** A Telegram server with one bot, and the environment that switches the channel on; closed with the test. */
export async function openTelegram(
  allowFrom: readonly number[],
): Promise<{ telegram: TelegramEmulator; env: Record<string, string> }> {
  const telegram = await createTelegramEmulator({});
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  const env = {
    TELEGRAM_BOT_TOKEN: BOT_TOKEN,
    TELEGRAM_API_BASE_URL: telegram.url,
    TELEGRAM_ALLOW_FROM: allowFrom.join(","),
  };
  return { telegram, env };
}
