import { expect, test } from "vitest";
import { runBanyan } from "../stage/command-line.ts";
import { openGrove } from "../stage/grove.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const ECHO = { agents: { main: { runtime: "echo" } } };

test("a person writes on Telegram and gets one answer, formatted", async () => {
  const { telegram, env } = await openTelegram([7]);
  await openGrove({ env, config: ECHO });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("hello **there**");
  const heard = await ada.hears("hello there");
  expect(heard.entities).toEqual([{ type: "bold", offset: 6, length: 5 }]);
  expect(await ada.messages()).toHaveLength(1);
});

test("a person writes in the web chat and gets one answer", async () => {
  const grove = await openGrove({ config: ECHO });
  const ada = grove.web("operator");
  await ada.says("hello");
  await ada.hears("hello");
  expect((await ada.transcript()).map(({ role, text }) => `${role}: ${text}`)).toEqual([
    "user: hello",
    "assistant: hello",
  ]);
});

test("a person writes in the terminal, gets one answer, and goes on in the web chat", async () => {
  const grove = await openGrove({ config: ECHO });
  expect(await runBanyan(grove.folder, "chat", "hello", "there")).toBe("hello there\n");
  const operator = grove.web("operator");
  expect(await operator.lines()).toEqual(["user: hello there", "assistant: hello there"]);
  await operator.says("/whoami");
  await operator.hears(/webchat:dm:operator/);
  expect(await runBanyan(grove.folder, "chat", "again")).toBe("again\n");
});

test("messages that come while a turn runs are answered in order, one turn each", async () => {
  const { telegram, env } = await openTelegram([7]);
  await openGrove({ env, config: ECHO });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  for (const word of ["one", "two", "three", "four"]) await ada.says(word);
  for (const word of ["one", "two", "three", "four"]) await ada.hears(word);
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["one", "two", "three", "four"]);
});

test("a long answer arrives in parts that join to it, in order", async () => {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, config: ECHO });
  const text = Array.from({ length: 900 }, (_, n) => `line ${n} of a long story`).join("\n");
  const web = grove.web("operator");
  await web.says(text);
  await web.hears(text);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await telegram.sayAll([0, 1, 2].map((part) => ({ user: ada, text: `part ${part} ${"word ".repeat(700)}` })));
  for (const part of [0, 1, 2]) await ada.hears(new RegExp(`^part ${part} `));
});

test("under a list a stranger is told his id and how to be let in, once an hour, and no agent sees his words", async () => {
  const { telegram, env } = await openTelegram([7]);
  const telegramOfList = { accounts: { default: { dmPolicy: "allowlist" } } };
  const grove = await openGrove({ env, config: { ...ECHO, channels: { telegram: telegramOfList } } });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  await bob.says("the secret word is canary-4711");
  const told = await bob.hears(/This bot is private\. Your id here is 8;/);
  expect(told.text).toContain("TELEGRAM_ALLOW_FROM=8");
  await bob.says("please?");
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("ping");
  await ada.hears("ping");
  expect(await bob.messages()).toHaveLength(1);
  await grove.stop();
  expect(grove.log.join("\n")).not.toContain("canary-4711");
});
