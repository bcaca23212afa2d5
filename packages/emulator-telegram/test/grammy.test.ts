import { Bot } from "grammy";
import { expect, it } from "vitest";
import { createTelegramEmulator } from "../src/index.ts";
import { GROVE } from "./bot-client.ts";

it("a grammY bot answers its user", async () => {
  const emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  const bot = new Bot(GROVE.token, { client: { apiRoot: emulator.url } });
  bot.command("start", (ctx) => ctx.reply("<b>Welcome</b>", { parse_mode: "HTML" }));
  bot.on("message:text", (ctx) => ctx.reply(`echo: ${ctx.msg.text}`));
  const running = bot.start();

  const ada = await emulator.user({ id: 7, firstName: "Ada" });
  await ada.says("/start");
  await ada.hears("Welcome");
  await ada.says("hello");
  const heard = await ada.hears("echo: hello", { once: true });
  await expect(bot.api.editMessageText(7, heard.messageId, "echo: hello")).rejects.toThrow("message is not modified");
  await bot.api.editMessageText(7, heard.messageId, "echo: hello!");
  await ada.hears(/!$/);

  await bot.stop();
  await running;
  expect((await emulator.bot()).pendingUpdates).toBe(0);
  await emulator.close();
});
