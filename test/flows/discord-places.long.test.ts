import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";
import { ADA_ID, BOT_ID } from "../stage/discord-town.ts";

const CALL = `<@${BOT_ID}>`;
const SECOND_TOKEN = "NzAwMDAwMDAwMDAwMDAwMDAy.Grove2.emulated-token-of-the-second-bot-0002";
const SECOND_ID = "700000000000000002";

test("a thread that people opened is a conversation of its own, with the same gate as its channel", async () => {
  const { general, ada, grove } = await openDiscordGrove();
  const thread = await general.createThread(ada, { name: "about trees" });
  const inThread = ada.in(thread);
  await inThread.says("nothing for the bot");
  await inThread.says(`${CALL} how many?`);
  await inThread.hears("heard: how many?", { once: true });
  await grove.rests();
  const sessions = await grove.read((read) => read.sessions({ limit: 9 }));
  expect(sessions.map(({ key }) => key)).toEqual([`agent:main:discord:channel:${general.id}:thread:${thread.id}`]);
});

test("what is attached comes along as a reference, and a message may be nothing but that", async () => {
  const { inDm, grove } = await openDiscordGrove();
  await inDm.says("", { attachments: [{ filename: "oak.png", contentType: "image/png", sizeBytes: 4 }] });
  await inDm.hears(/^heard: \(sent without words: oak\.png\)/, { once: true });
  await grove.rests();
});

test("a long answer comes in parts that each can be read, in their order", async () => {
  const { inDm, grove } = await openDiscordGrove();
  const code = Array.from({ length: 160 }, (_, line) => `const tree${line} = ${line};`).join("\n");
  await inDm.says(`look at this\n\`\`\`ts\n${code.slice(0, 1_900)}\n\`\`\``);
  await inDm.says(`and this\n\`\`\`ts\n${code.slice(1_900, 3_700)}\n\`\`\``);
  await inDm.hears(/tree159/);
  await grove.rests();
  const texts = (await inDm.messages()).map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
  }
});

test("two bots in one channel are two accounts: each answers what is said to it, in one conversation", async () => {
  const town = await openDiscordGrove();
  const { discord, guild, inGeneral, general, grove, channels, env } = town;
  const second = await discord.addBot({ token: SECOND_TOKEN, username: "elder", id: SECOND_ID });
  await guild.adds(second);
  const groups = { guilds: [guild.id] };
  const { DISCORD_API_URL: apiBaseUrl } = env;
  const accounts = {
    default: { groups },
    elder: { token: SECOND_TOKEN, apiBaseUrl, groups, allowFrom: [ADA_ID] },
  };
  expect(channels).toBeDefined();
  const main = { runtime: "scripted", default: true };
  await grove.restart({ config: { agents: { main }, channels: { discord: { accounts } } } });
  await inGeneral.says(`${CALL} one`);
  await inGeneral.hears((event) => event.authorId === BOT_ID && event.text === "heard: one", { once: true });
  await inGeneral.says(`<@${SECOND_ID}> two`);
  await inGeneral.hears((event) => event.authorId === SECOND_ID && event.text === "heard: two", { once: true });
  await grove.rests();
  const sessions = await grove.read((read) => read.sessions({ limit: 9 }));
  expect(sessions.map(({ key }) => key)).toEqual([`agent:main:discord:channel:${general.id}`]);
});

test("a thread for one task says goodbye when that is done, shows how it ended, and is archived", async () => {
  const { inGeneral, general, ada, grove } = await openDiscordGrove();
  await inGeneral.says(`${CALL} /spawn --thread --mode run --label census count the trees`);
  await inGeneral.hears(/✅ census/);
  const [thread] = await general.threads();
  if (thread === undefined) throw new Error("no thread");
  await ada.in(thread).hears(/“census” is done and has left this thread/, { once: true });
  await grove.until("the thread to be archived", async () => ((await thread.refresh()).isArchived ? true : undefined));
  expect(thread.name).toBe("✅ census");
});
