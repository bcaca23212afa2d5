import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** A forum of Ada, Bob and the bot, which may be spoken to there. */
async function openForum(groups: object = {}) {
  const agent = createListener();
  const { telegram, env } = await openTelegram([]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const people = { creator: ada, members: [bob], bots: [await telegram.bot()] };
  const forum = await telegram.createRoom({ kind: "supergroup", title: "Forum", isForum: true, ...people });
  const account = { groups: { allow: [String(forum.chatId)], ...groups } };
  const config = { ...agent.config, channels: { telegram: { accounts: { default: account } } } };
  const grove = await openGrove({ env, config, runtimes: agent.runtimes });
  const key = `agent:main:telegram:group:${forum.chatId}`;
  return { agent, telegram, grove, ada, bob, forum, key };
}

test("each topic of a forum is a conversation of its own, and is answered in itself", async () => {
  const { agent, ada, bob, forum, key } = await openForum();
  const oaks = await forum.opensTopic("oaks", ada);
  const elms = await forum.opensTopic("elms", ada);
  const asked = await forum.member(ada).says("@grove_bot how many?", { topicId: oaks });
  await forum.member(ada).hears("heard: how many?", { once: true });
  await forum.member(bob).says("@grove_bot how old?", { topicId: elms });
  await forum.member(bob).hears("heard: how old?", { once: true });
  await forum.member(bob).says("@grove_bot how are you?");
  await forum.member(bob).hears("heard: how are you?", { once: true });
  const answers = await forum.member(bob).messages();
  expect(answers.map(({ extra }) => extra?.is_topic_message === true && extra.message_thread_id)).toEqual([
    oaks,
    elms,
    false,
  ]);
  expect(answers[0]).toMatchObject({ replyTo: asked });
  for (const [session, text] of [
    [`${key}:thread:${oaks}`, "how many?"],
    [`${key}:thread:${elms}`, "how old?"],
    [key, "how are you?"],
  ] as const) {
    const turns = agent.record.of(session);
    expect(turns.map(({ input }) => input.map((message) => message.text))).toEqual([[text]]);
  }
});

test("T24: what becomes of a topic reaches no agent, and nobody is answered for it", async () => {
  const { agent, ada, bob, forum, grove } = await openForum({ requireMention: false });
  const topic = await forum.opensTopic("canary oaks", ada);
  await forum.renamesTopic(topic, "canary elms @grove_bot", ada);
  await forum.closesTopic(topic, ada);
  await forum.reopensTopic(topic, ada);
  await forum.member(bob).says("@grove_bot hello", { topicId: topic });
  await forum.member(bob).hears("heard: hello", { once: true });
  await grove.rests();
  expect(await forum.member(bob).messages()).toHaveLength(1);
  expect(agent.record.attempts).toHaveLength(1);
  expect(JSON.stringify(agent.record.attempts)).not.toContain("canary");
});

test("T20: a closed topic that the bot may not open costs no turns, and the group is told once what is missing", async () => {
  const { agent, ada, forum, grove } = await openForum();
  const inForum = forum.member(ada);
  const oaks = await forum.opensTopic("oaks", ada);
  await forum.closesTopic(oaks, ada);
  await inForum.says("@grove_bot how many?", { topicId: oaks });
  await inForum.hears("(topic shut)\nheard: how many?", { once: true });
  await inForum.hears(/I can't write in a topic of this chat any more: .* the right "Manage Topics"/, { once: true });
  await grove.rests();
  await grove.restart();
  await inForum.says("@grove_bot how old?", { topicId: oaks });
  await inForum.says("@grove_bot how are you?");
  await inForum.hears("heard: how are you?", { once: true });
  await grove.rests();
  const asked = agent.record.attempts.flatMap(({ input }) => input.map(({ text }) => text));
  expect(asked).toEqual(["how many?", "how are you?"]);
  const said = (await inForum.messages()).map(({ text }) => text);
  expect(said.filter((text) => text.startsWith("I can't write"))).toHaveLength(1);
});
