/** The attacks of the reliability plan that concern the whole channel; others stand with what they attack. */
import type { Announcement } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import type { SpeakingTown } from "./discord-town.ts";
import { openCommandTown } from "./interactions/interaction-town.ts";
import { buildAddress, buildOutbound } from "./test-account.ts";

const LOUD = "@everyone <@&1> <@100000000000000042> @here";
const SEND = "POST /channels/:channel/messages";

/** Everything that the channel ever sends, once, with words that call people. */
async function sayEverything(town: SpeakingTown): Promise<void> {
  const { account, general, guild, inGeneral, say } = town;
  const { progress, edits, threads } = account.connection;
  const address = buildAddress(general.id);
  const asked = await inGeneral.says("hello?");
  await say(LOUD, { replyTo: asked });
  for (const [text, delayMs] of [
    ["1", 1_500],
    ["2", 2_000],
  ] as const) {
    progress?.update({ turnId: "turn", address, textSoFar: `${LOUD} ${text}` });
    await account.clock.awaitAlarm(delayMs);
    account.passTime(delayMs);
    await inGeneral.hears(new RegExp(`${text} ▍$`));
  }
  const platformId = await say(`${LOUD} 3`, { turnId: "turn" });
  await edits?.edit({ address, platformId, text: `${LOUD} 4` });
  const opened = await threads?.open({ bindingId: "b1", parent: address, name: LOUD, hello: LOUD });
  const forum = await guild.createChannel({ name: "forum", kind: "forum" });
  await threads?.open({ bindingId: "b2", parent: buildAddress(forum.id), name: LOUD, hello: LOUD });
  const closing = { bindingId: "b1", address: opened?.address ?? address, name: `✅ ${LOUD}`, goodbye: LOUD };
  await threads?.archive(closing);
  await account.announce(buildAnnouncement(address));
  await (await inGeneral.uses("ask", { question: LOUD })).acknowledged();
  await (await inGeneral.uses("kill", { target: LOUD })).acknowledged();
  await account.idles();
}

function buildAnnouncement(target: Announcement["target"]): Announcement {
  const run = { runId: "run-1", childSessionKey: "agent:oak:subagent:1" };
  return {
    ...run,
    delivery: { id: "d9", part: 0, of: 1, attempt: 1, createdAt: Date.now(), mayHaveArrived: false },
    completion: { ...run, label: LOUD, task: LOUD, outcome: "failed", result: LOUD, durationMs: 1 },
    target,
    text: LOUD,
    requesterSessionKey: "agent:oak:discord:channel:1",
  };
}

/** The parts of a body that hold words for a chat. */
function listMessages(body: unknown): readonly object[] {
  if (typeof body !== "object" || body === null) return [];
  return [...("content" in body ? [body] : []), ...Object.values(body).flatMap(listMessages)];
}

test("attack 16: nothing that the channel says calls anybody (D36, D60), and nothing is refused for its form", async () => {
  const town = await openCommandTown();
  await sayEverything(town);
  const record = await town.discord.record();
  const messages = record.flatMap(({ body }) => listMessages(body));
  expect(messages.length).toBeGreaterThanOrEqual(11);
  for (const message of messages) expect(message).toMatchObject({ allowed_mentions: { parse: [] } });
  for (const { route, answer } of record) expect([route, answer?.status]).not.toEqual([route, 400]);
  const chats = (await town.discord.chats()).flatMap((chat) => chat.messages).filter(({ isBot }) => isBot);
  for (const { message } of chats) {
    const called = message.mentions.filter(({ bot }) => bot !== true);
    expect([message.mention_everyone, message.mention_roles, called]).toEqual([false, [], []]);
  }
});

test.each([
  ["half a character", "a\ud800b", "a\ufffdb"],
  ["a NUL", "a\0b", /a.?b/],
  ["words of no width", "a\u200b\u2060b", "a\u200b\u2060b"],
  ["letters that run backwards", "\u202ea", "\u202ea"],
])("attack 24: %s goes out, and is heard, as what can be written", async (_, text, shown) => {
  const { inGeneral, account, say } = await openCommandTown();
  await say(text);
  expect((await inGeneral.hears(shown)).text.isWellFormed()).toBe(true);
  await inGeneral.says(text);
  const [heard] = await account.receives(1);
  expect(heard?.isWellFormed()).toBe(true);
});

test("attack 24: an id in other digits than Discord's is none", async () => {
  const { discord, general, guild, inGeneral, account } = await openCommandTown();
  const author = { id: "١٠٠٠٠٠", username: "ada" };
  const where = { channel_id: general.id, guild_id: guild.id };
  await discord.gateway.pushes("MESSAGE_CREATE", { id: "1600000000000000001", ...where, author, content: "I am ada" });
  await inGeneral.says("I am");
  expect(await account.receives(1)).toEqual(["I am"]);
});

test("attack 26: an account that has ended does nothing more, whatever was under way", async () => {
  const { discord, general, account, inGeneral } = await openCommandTown();
  const address = buildAddress(general.id);
  account.connection.progress?.update({ turnId: "turn", address, textSoFar: "Once" });
  account.connection.typing?.start(address);
  const connection = account.connection;
  await account.close();
  const calls = (await discord.record()).length;
  await expect(connection.send(buildOutbound(address, "too late"))).rejects.toMatchObject({ class: "definite" });
  await inGeneral.says("anybody?");
  account.passTime(24 * 3_600_000);
  expect(await discord.record()).toHaveLength(calls);
  expect((await discord.bot()).isConnected).toBe(false);
  expect(await discord.record({ route: SEND })).toEqual([]);
});
