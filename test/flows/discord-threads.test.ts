import type { DiscordChannel } from "@banyan/emulator-discord";
import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";
import { ADA_ID, BOT_ID } from "../stage/discord-town.ts";

const CALL = `<@${BOT_ID}>`;

test("a sub-agent lives in a thread of its own: it works there, people talk with it there, and the channel hears of its end", async () => {
  const { inGeneral, general, ada, grove } = await openDiscordGrove();
  await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
  await inGeneral.hears(/^🌱 \*\*census\*\*/);
  const card = await inGeneral.hears(/heard: count the trees\s+✅ census\s+done · /, { once: true });
  const [thread] = await general.threads();
  expect(thread?.name).toMatch(/census/);
  if (thread === undefined) throw new Error("no thread");
  expect(JSON.stringify(card.message.components)).toContain(`/${thread.id}`);
  const inThread = ada.in(thread);
  await inThread.hears(/works here; write to it/);
  await inThread.hears("heard: count the trees", { once: true });
  await inThread.says("and the birds");
  await inThread.hears("heard: and the birds", { once: true });
  await grove.rests();
});

test("an agent gives three tasks to sub-agents in threads, and each thread shows how its own ended", async () => {
  const { inGeneral, general, grove } = await openDiscordGrove();
  const spawns = ["oak", "elm", "ash"].map((label) =>
    JSON.stringify({ label, task: `count the ${label}s`, thread: true, mode: "session" }),
  );
  await inGeneral.says(`${CALL} spawn ${spawns.join("; ")}`);
  await inGeneral.hears("begun");
  await inGeneral.hears(/told: /);
  await grove.rests();
  await grove.until("the marks", () => hasNames(general, ["✅ ash", "✅ elm", "✅ oak"]));
  const told = (await inGeneral.messages()).map(({ text }) => text).join("\n");
  for (const label of ["oak", "elm", "ash"]) expect(told.match(new RegExp(`told: ${label} done`, "g"))).toHaveLength(1);
});

test("a thread that Discord has archived still belongs to its sub-agent; one that is deleted swallows nothing", async () => {
  const { inGeneral, general, ada, grove } = await openDiscordGrove();
  await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
  await inGeneral.hears(/✅ census/);
  await grove.rests();
  const [thread] = await general.threads();
  if (thread === undefined) throw new Error("no thread");
  await thread.archives();
  const inThread = ada.in(thread);
  await inThread.says("and the birds");
  await inThread.hears("heard: and the birds", { once: true });
  await grove.rests();
  await thread.deletes();
  await grove.until("the binding to be freed", async () =>
    (await grove.read((read) => read.routes())).bindings.length === 0 ? true : undefined,
  );
  await inGeneral.says(`${CALL} still there?`);
  await inGeneral.hears("heard: still there?");
});

test("a thread that the bot may not write in any more costs no turns, and the channel is told once what is missing", async () => {
  const { inGeneral, general, ada, agent, grove } = await openDiscordGrove();
  await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
  await inGeneral.hears(/✅ census/);
  await grove.rests();
  const [thread] = await general.threads();
  if (thread === undefined) throw new Error("no thread");
  await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
  const inThread = ada.in(thread);
  await inThread.says("and the birds");
  await inGeneral.hears("(thread shut)\nheard: and the birds", { once: true });
  const cause = "my role lacks Send Messages in Threads. Give it that.";
  const notice = `I can't write in the thread <#${thread.id}> any more: ${cause} What is due there comes here.`;
  await inGeneral.hears(notice, { once: true });
  expect((await grove.read((read) => read.routes())).bindings).toEqual([]);
  await inThread.says(`${CALL} and the bees`);
  await inGeneral.says(`${CALL} still there?`);
  await inGeneral.hears("heard: still there?");
  await grove.rests();
  await grove.restart();
  await inThread.says(`${CALL} and the bears`);
  await inGeneral.says(`${CALL} here again?`);
  await inGeneral.hears("heard: here again?");
  await grove.rests();
  const asked = agent.record.attempts.flatMap(({ input }) => input.map((message) => message.text));
  expect(asked.slice(-2)).toEqual(["still there?", "here again?"]);
  const said = (await inGeneral.messages()).map(({ text }) => text);
  expect(said.filter((text) => text === notice)).toHaveLength(1);
  expect(said.filter((text) => /bees|bears/.test(text))).toEqual([]);
});

test("a thread that the bot may not write in since the gateway was down is told of once, with the missing permission", async () => {
  const { inGeneral, general, ada, agent, grove } = await openDiscordGrove();
  await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
  await inGeneral.hears(/✅ census/);
  await grove.rests();
  const [thread] = await general.threads();
  if (thread === undefined) throw new Error("no thread");
  await grove.stop();
  await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
  await grove.restart();
  const cause = "my role lacks Send Messages in Threads. Give it that.";
  const notice = `I can't write in the thread <#${thread.id}> any more: ${cause} What is due there comes here.`;
  await inGeneral.hears(notice, { once: true });
  await ada.in(thread).says("and the birds");
  await inGeneral.says(`${CALL} still there?`);
  await inGeneral.hears("heard: still there?");
  await grove.rests();
  const asked = agent.record.attempts.flatMap(({ input }) => input.map((message) => message.text));
  expect(asked.slice(-2)).toEqual(["count the trees", "still there?"]);
  const said = (await inGeneral.messages()).map(({ text }) => text);
  expect(said.filter((text) => /any more/.test(text))).toEqual([notice]);
});

test("of a deleted post of a forum those learn who asked for its sub-agent, where they asked", async () => {
  const { guild, ada, grove } = await openDiscordGrove();
  const forum = await guild.createChannel({ name: "questions", kind: "forum" });
  const post = await forum.createThread(ada, { name: "trees?", text: `${CALL} how many?` });
  const inPost = ada.in(post);
  await inPost.hears("heard: how many?");
  await inPost.says(`${CALL} /spawn --thread --label birds count the birds`);
  await inPost.hears(/✅ birds/);
  await grove.rests();
  const birds = (await forum.threads()).find(({ id }) => id !== post.id);
  await birds?.deletes();
  const placeless = "What is due there is not shown, since a forum takes no messages of its own.";
  await inPost.hears(`**birds**: A post of <#${forum.id}> was deleted. ${placeless} \`/subagents send\` still works.`, {
    once: true,
  });
  await grove.rests();
  expect((await grove.deliveries()).filter(({ state }) => state === "undeliverable")).toEqual([]);
});

test("a channel that the bot may not write in costs no turns after the first, and the operator is told once", async () => {
  const { inGeneral, general, inDm, agent, grove } = await openDiscordGrove();
  await general.setPermissions(BOT_ID, { deny: ["SendMessages"] });
  await inGeneral.says(`${CALL} how many?`);
  await grove.until("the refusal", async () =>
    (await grove.deliveries()).some(({ state }) => state === "undeliverable") ? true : undefined,
  );
  await grove.rests();
  await inGeneral.says(`${CALL} how old?`);
  await inDm.says("here I am");
  await inDm.hears("heard: here I am");
  await grove.rests();
  await grove.restart();
  await inGeneral.says(`${CALL} anybody?`);
  await inDm.says("here again");
  await inDm.hears("heard: here again");
  const asked = agent.record.attempts.flatMap(({ input }) => input.map((message) => message.text));
  expect(asked).toEqual(["how many?", "here I am", "here again"]);
  expect(grove.open.gateway.health().accounts["discord/default"]).toMatchObject({
    state: "running",
    detail: expect.stringContaining("lacks Send Messages"),
  });
  await general.setPermissions(BOT_ID, { deny: [] });
  await inGeneral.says(`${CALL} and now?`);
  await inGeneral.hears("heard: and now?");
});

test("a permission that is missing is named to the one who asked, and nothing is left of the thread", async () => {
  const { inGeneral, general, grove } = await openDiscordGrove();
  await general.setPermissions(BOT_ID, { deny: ["CreatePublicThreads"] });
  await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
  await inGeneral.hears(/Create Public Threads/, { once: true });
  await grove.rests();
  expect(await general.threads()).toEqual([]);
  expect((await inGeneral.messages()).filter(({ text }) => text.includes("🌱"))).toEqual([]);
});

test("a direct chat has no threads, and says what to do instead", async () => {
  const { inDm, grove } = await openDiscordGrove();
  await inDm.says("/spawn --thread count the trees");
  await inDm.hears(/direct messages have none.*leave/s, { once: true });
  await grove.rests();
});

test("in a forum a sub-agent has a post of its own, and a private thread is for the one who asked", async () => {
  const { guild, general, ada, inGeneral, grove } = await openDiscordGrove({ threadType: "private" });
  await inGeneral.says(`${CALL} /spawn --thread --label census count the trees`);
  await inGeneral.hears(/✅ census/);
  const [thread] = await general.threads();
  expect(thread?.kind).toBe("private-thread");
  expect(thread?.memberIds).toContain(ADA_ID);
  const forum = await guild.createChannel({ name: "questions", kind: "forum" });
  const post = await forum.createThread(ada, { name: "trees?", text: `${CALL} how many?` });
  const inPost = ada.in(post);
  await inPost.hears("heard: how many?");
  await inPost.says(`${CALL} /spawn --thread --label birds count the birds`);
  await inPost.hears(/✅ birds/);
  await grove.rests();
  await grove.until("the mark", () => hasNames(forum, ["trees?", "✅ birds"]));
});

async function hasNames(channel: DiscordChannel, names: readonly string[]): Promise<true | undefined> {
  const found = (await channel.threads()).map(({ name }) => name);
  return found.toSorted().join() === names.toSorted().join() ? true : undefined;
}
