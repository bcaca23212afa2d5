import { callGatewayRunKill } from "@banyan/core";
import { expect, test } from "vitest";
import { openTelegramGrove, readBindings, said, type TelegramGrove } from "../stage/telegram-grove.ts";

const CENSUS = "@grove_bot /spawn --thread --label census count the trees";

/** The only topic of the hall. */
async function findTopic({ hall }: TelegramGrove) {
  const { topics } = await hall.history();
  expect(topics).toHaveLength(1);
  const [topic] = topics;
  if (topic === undefined) throw new Error("no topic");
  return topic;
}

test("a sub-agent in a forum lives in a topic: it works there, people talk with it there, and the group hears of its end", async () => {
  const town = await openTelegramGrove();
  const { hall, ada, bob, grove } = town;
  const inHall = hall.member(ada);
  await inHall.says(CENSUS);
  await inHall.hears(/✅ census · done/, { once: true });
  const topic = await findTopic(town);
  await hall.member(bob).says("and the birds", { topicId: topic.id });
  await inHall.hears("heard: and the birds", { once: true });
  await inHall.says("@grove_bot hello");
  await inHall.hears("heard: hello");
  await grove.rests();
  await grove.until("the mark", async () => ((await findTopic(town)).name === "✅ census" ? true : undefined));
  expect(await said(town, topic.id)).toEqual([
    "🌱 “census” works here; write to it.",
    "heard: count the trees",
    "heard: and the birds",
  ]);
  expect(await said(town)).toEqual([
    expect.stringMatching(/^✅ census · done/),
    "✅ census is done: see above.",
    "heard: hello",
  ]);
});

test("a topic that closes behind its run says goodbye, has the mark of the end, and is closed", async () => {
  const town = await openTelegramGrove();
  const { hall, ada, grove } = town;
  await hall.member(ada).says("@grove_bot /spawn --thread --mode run --label walk walk about");
  await hall.member(ada).hears(/^✅ “walk” is done and has left this thread/);
  await grove.rests();
  await grove.until("the end", async () => ((await findTopic(town)).isClosed ? true : undefined));
  const topic = await findTopic(town);
  expect([topic.name, topic.icon]).toEqual(["✅ walk", "✅"]);
  expect(await said(town, topic.id)).toEqual([
    "🌱 “walk” works here; write to it.",
    "heard: walk about",
    "✅ “walk” is done and has left this thread.",
  ]);
});

test("T25: in a private chat with topics each topic is a conversation of its own, and a sub-agent lives in one", async () => {
  const { ada, agent, grove } = await openTelegramGrove({ hasPrivateTopics: true });
  await ada.says("hello");
  await ada.hears("heard: hello");
  const oaks = await ada.opensTopic("oaks");
  await ada.says("how many?", { topicId: oaks });
  await ada.hears("heard: how many?", { once: true });
  await ada.says("/spawn --thread --label census count the trees", { topicId: oaks });
  await ada.hears(/✅ census · done/, { once: true });
  const census = (await ada.topics()).find(({ name }) => name.endsWith("census"))?.id ?? 0;
  await ada.says("and the birds", { topicId: census });
  await ada.hears("heard: and the birds", { once: true });
  await grove.rests();
  await grove.until("the mark", async () =>
    (await ada.topics()).some(({ name }) => name === "✅ census") ? true : undefined,
  );
  const said = (topicId?: number) =>
    ada
      .messages()
      .then((all) => all.filter(({ extra }) => extra?.message_thread_id === topicId).map(({ text }) => text));
  expect(await said()).toEqual(["heard: hello"]);
  expect(await said(oaks)).toEqual([
    "heard: how many?",
    expect.stringMatching(/^✅ census/),
    "✅ census is done: see above.",
  ]);
  expect(await said(census)).toEqual([
    "🌱 “census” works here; write to it.",
    "heard: count the trees",
    "heard: and the birds",
  ]);
  const heard = (thread: string) =>
    agent.record.of(`agent:main:telegram:dm:7${thread}`).flatMap(({ input }) => input.map(({ text }) => text));
  expect(heard("")).toEqual(["hello"]);
  expect(heard(`:thread:${oaks}`)).toEqual(["how many?"]);
});

test("T21: what was meant for a private topic that its person deletes goes to the private chat", async () => {
  const { ada, grove } = await openTelegramGrove({ hasPrivateTopics: true });
  await ada.says("/spawn --thread --mode run --label walk walk about");
  await ada.hears(/^✅ “walk” is done and has left/, { once: true });
  await ada.says("/spawn --thread --label census count the trees");
  await ada.hears(/✅ census · done/, { once: true });
  await grove.rests();
  await grove.until("the mark", async () =>
    (await ada.topics()).some(({ name }) => name === "✅ census") ? true : undefined,
  );
  const census = (await ada.topics()).find(({ name }) => name === "✅ census")?.id ?? 0;
  await ada.says("and the birds", { topicId: census });
  await ada.deletesTopic(census);
  await ada.hears("(topic gone)\nheard: and the birds", { once: true });
  await grove.rests();
  expect(await grove.read(async (read) => (await read.routes()).bindings)).toEqual([]);
});

test("T24: a topic that somebody closes for good is nobody's any more; a new name and a reopening lose nothing", async () => {
  const town = await openTelegramGrove();
  const { hall, ada, bot, grove } = town;
  const inHall = hall.member(ada);
  const oaks = await hall.opensTopic("oaks", ada);
  await inHall.says("@grove_bot /spawn --label census count the trees", { topicId: oaks });
  await inHall.hears(/✅ census · done/);
  await inHall.says("@grove_bot /focus census", { topicId: oaks });
  await inHall.hears(/now talks with census/);
  await hall.renamesTopic(oaks, "elms", ada);
  await hall.closesTopic(oaks, ada);
  await hall.reopensTopic(oaks, ada);
  await inHall.says("@grove_bot and the birds", { topicId: oaks });
  await inHall.hears("heard: and the birds");
  expect(await readBindings(town)).toHaveLength(1);
  await hall.promotes(bot, ada, { rights: { can_manage_topics: false } });
  await hall.closesTopic(oaks, ada);
  await grove.until("freedom", async () => ((await readBindings(town)).length === 0 ? true : undefined));
});

test("an agent gives tasks to two sub-agents in topics that are called alike, also over a restart; none gets the other's", async () => {
  const town = await openTelegramGrove();
  const { hall, ada, grove } = town;
  const inHall = hall.member(ada);
  const spawns = ["oaks", "elms"].map((trees) =>
    JSON.stringify({ label: "census", task: `count the ${trees}`, thread: true, mode: "session" }),
  );
  await inHall.says(`@grove_bot spawn ${spawns.join("; ")}`);
  await inHall.hears("heard: count the oaks");
  await inHall.hears("heard: count the elms");
  await grove.rests();
  await grove.restart();
  const { topics } = await hall.history();
  expect(topics).toHaveLength(2);
  for (const { id } of topics) {
    await inHall.says(`and what is in ${id}?`, { topicId: id });
    await inHall.hears(`heard: and what is in ${id}?`);
    expect((await said(town, id)).at(-1)).toBe(`heard: and what is in ${id}?`);
  }
  const tasks = await Promise.all(topics.map(async ({ id }) => (await said(town, id))[1]));
  expect(tasks.toSorted()).toEqual(["heard: count the elms", "heard: count the oaks"]);
});

test("T21: what is meant for a topic that was deleted goes to the group, and the topic is nobody's any more", async () => {
  const town = await openTelegramGrove();
  const { hall, ada, grove } = town;
  const inHall = hall.member(ada);
  await inHall.says("@grove_bot /spawn --thread --label well dig a well");
  await inHall.hears(/works here/);
  const topic = await findTopic(town);
  await grove.until("the binding", async () => ((await readBindings(town)).length === 1 ? true : undefined));
  await inHall.says("how deep?", { topicId: topic.id });
  await hall.deletesTopic(topic.id, ada);
  await inHall.says("@grove_bot /kill well");
  await inHall.hears("(topic gone)\nheard: how deep?", { once: true });
  await grove.until("freedom", async () => ((await readBindings(town)).length === 0 ? true : undefined));
  await grove.rests();
});

test("T20: a topic that somebody has closed is opened again for what the sub-agent says; without the right it is let go", async () => {
  const town = await openTelegramGrove();
  const { hall, ada, bot, grove } = town;
  const inHall = hall.member(ada);
  await inHall.says(CENSUS);
  await inHall.hears(/✅ census · done/, { once: true });
  const topic = await findTopic(town);
  await hall.closesTopic(topic.id, ada);
  await hall.promotes(bot, ada, { rights: { can_manage_topics: false } });
  await inHall.says("and the birds", { topicId: topic.id });
  await inHall.hears("heard: and the birds", { once: true });
  // Its maker may open it whatever its rights are.
  expect((await findTopic(town)).isClosed).toBe(false);
  expect(await readBindings(town)).toHaveLength(1);
  await grove.rests();
});

test("T21: what tells of a sub-agent's end goes to the group when the topic is gone that it was asked for in, and to no other chat", async () => {
  const town = await openTelegramGrove();
  const { hall, ada, grove } = town;
  const inHall = hall.member(ada);
  const oaks = await hall.opensTopic("oaks", ada);
  await inHall.says("@grove_bot /spawn --label well dig a well", { topicId: oaks });
  await inHall.hears(/well is at work/);
  const run = await grove.until("the run", () =>
    grove.read(async (read) => (await read.runs({ limit: 9 })).find(({ state }) => state === "running")),
  );
  await hall.deletesTopic(oaks, ada);
  await callGatewayRunKill(grove.stateDir, run.runId);
  await inHall.hears(/^\(topic gone\)\n⏹ well/, { once: true });
  await grove.rests();
  expect(await ada.messages()).toEqual([]);
});
