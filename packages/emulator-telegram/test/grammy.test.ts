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

it("a grammY bot lives in a group: it greets, answers who mentions it, and moves along to the supergroup", async () => {
  const emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  const bot = new Bot(GROVE.token, { client: { apiRoot: emulator.url } });
  bot.on("my_chat_member", (ctx) => ctx.reply(`I am ${ctx.myChatMember.new_chat_member.status} of ${ctx.chat.title}`));
  bot.on("message:migrate_from_chat_id", (ctx) => ctx.reply(`moved from ${ctx.msg.migrate_from_chat_id}`));
  bot.on("message:text", (ctx) =>
    ctx.reply(`${ctx.from.first_name} said ${ctx.msg.text}`, { reply_parameters: { message_id: ctx.msg.message_id } }),
  );
  const running = bot.start();

  const ada = await emulator.user({ id: 7, firstName: "Ada" });
  const group = await emulator.createRoom({ kind: "group", title: "Walk", creator: ada, bots: [{ id: 4242 }] });
  await group.member(ada).hears("I am member of Walk");
  await group.member(ada).says("nobody hears this");
  await group.member(ada).says("hello @grove_bot");
  await group.member(ada).hears("Ada said hello @grove_bot", { once: true });
  const hall = await group.upgrades(ada);
  await hall.member(ada).hears(`moved from ${group.chatId}`);
  await expect(bot.api.sendMessage(group.chatId, "x")).rejects.toMatchObject({
    parameters: { migrate_to_chat_id: hall.chatId },
  });
  expect(await hall.member(ada).transcript()).not.toContain("nobody");

  await bot.stop();
  await running;
  await emulator.close();
});
