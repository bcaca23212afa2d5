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
  const { inGeneral, general, ada, grove } = await openDiscordGrove();
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
  const said = (await inGeneral.messages()).map(({ text }) => text);
  expect(said.filter((text) => text === notice)).toHaveLength(1);
  expect(said.filter((text) => text.includes("bees"))).toEqual([]);
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
