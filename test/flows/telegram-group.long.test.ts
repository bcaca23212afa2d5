import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** A Telegram with a group of Ada, Bob and the bot, and a grove whose agent may talk there. */
async function openHall(kind: "group" | "supergroup" | "channel", groups: object = {}) {
  const agent = createListener();
  const { telegram, env } = await openTelegram([]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const bots = [await telegram.bot()];
  const hall = await telegram.createRoom({ kind, title: "Hall", creator: ada, members: [bob], bots });
  const account = { groups: { allow: [String(hall.chatId)], ...groups } };
  const config = { ...agent.config, channels: { telegram: { accounts: { default: account } } } };
  const grove = await openGrove({ env, config, runtimes: agent.runtimes });
  return { agent, telegram, grove, ada, bob, hall };
}

test("people in a group talk with the agent when they mean it, and it answers the message it was asked by", async () => {
  const { agent, grove, ada, bob, hall } = await openHall("supergroup");
  await hall.member(bob).says("canary: between us");
  const asked = await hall.member(ada).says("@grove_bot, how many?");
  const heard = await hall.member(bob).hears("heard: how many?", { once: true });
  expect((await hall.member(bob).messages())[0]).toMatchObject({ replyTo: asked });
  await hall.member(bob).says("and how few?", { replyTo: heard.messageId });
  await hall.member(ada).hears("heard: and how few?");
  await hall.member(bob).says("/whoami@grove_bot");
  await hall.member(bob).hears(/telegram:group:-100/);
  const key = `agent:main:telegram:group:${hall.chatId}`;
  expect(agent.record.of(key)).toHaveLength(2);
  expect(agent.record.of(key)[1]?.input[0]).toMatchObject({
    text: "and how few?",
    sender: { id: "8", displayName: "Bob" },
    context: [{ label: "quoted message", text: "heard: how many?" }],
  });
  expect(agent.record.seenBy(key)).not.toContain("canary");
  await grove.stop();
  expect(grove.log.join("\n")).not.toContain("canary");
});

test("a group that is not on the list gets no answer, and the operator reads its id and the line that lets it in", async () => {
  const { agent, grove, ada, hall } = await openHall("supergroup", { allow: [] });
  await hall.member(ada).says("@grove_bot hello");
  await ada.says("ping");
  await grove.until("the group's id in the log", () => grove.log.find((line) => line.includes(String(hall.chatId))));
  await ada.hears(/code/);
  expect(await hall.member(ada).messages()).toEqual([]);
  expect(agent.record.attempts).toEqual([]);
});

test("T12: a group that grows goes on with the same conversation under its new id", async () => {
  const { agent, grove, ada, hall } = await openHall("group");
  await hall.member(ada).says("@grove_bot one");
  await hall.member(ada).hears("heard: one");
  const grown = await hall.upgrades(ada);
  await grown.member(ada).says("@grove_bot two");
  await grown.member(ada).hears("heard: two", { once: true });
  await grove.rests();
  const key = `agent:main:telegram:group:${grown.chatId}`;
  expect(agent.record.of(key).at(-1)?.history).toHaveLength(2);
});

test("a channel's post is answered in the channel where mentions are not needed", async () => {
  const { ada, bob, hall } = await openHall("channel", { requireMention: false });
  await hall.member(ada).says("what is new?");
  await hall.member(bob).hears("heard: what is new?", { once: true });
});

test("a photo without a word is answered", async () => {
  const agent = createListener();
  const { telegram, env } = await openTelegram([7]);
  await openGrove({ ...agent, env, config: agent.config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.sends({ kind: "photo" });
  await ada.hears("heard: (sent without words: photo.jpg)");
});

test("the bot shows the commands that the host takes, in private some more, in English and German", async () => {
  const { telegram } = await openHall("supergroup");
  await telegram.called("setMyCommands", 6);
  const menus = (await telegram.record({ method: "setMyCommands" })).map(({ params }) => JSON.stringify(params));
  const [, inGroups = "", inPrivate = "", , inGroupsGerman = ""] = menus;
  expect(inGroups).toContain('"command":"status"');
  expect(inGroups).not.toContain('"command":"link"');
  expect(inPrivate).toContain('"command":"link"');
  expect(inGroupsGerman).toContain("die Antwort anhalten");
});
