import { type Announcement, type Completion, formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, test } from "vitest";
import { deriveButtonKey, formatButtonId } from "../../src/commands/button-id.ts";
import { openSpeakingTown, SEND, type SpeakingTown } from "../discord-town.ts";
import { CALLBACK } from "../interactions/interaction-town.ts";
import { buildAddress, TOKEN } from "../test-account.ts";

const RUN = "0b5a3f0e-6f3d-4a53-9f0b-3a1d6ef0a001";
const DAYS = 24 * 3_600_000;
const completion: Completion = {
  runId: RUN,
  childSessionKey: "agent:oak:subagent:1",
  label: "nap",
  task: "sleep for a while",
  outcome: "done",
  result: "I slept well.",
  durationMs: 4_100,
  totalTokens: 1_200,
};

/** A town in which a sub-agent with a thread has ended. */
async function openEndedTown() {
  const town = await openSpeakingTown();
  const thread = await town.general.createThread(town.ada, { name: "nap" });
  const announcement: Announcement = {
    delivery: { id: "d1", part: 0, of: 1, attempt: 1, createdAt: Date.now(), mayHaveArrived: false },
    completion,
    target: buildAddress(town.general.id),
    text: "✅ **nap** · done in 4.1 s · 1200 tokens\n\nI slept well.",
    requesterSessionKey: "agent:oak:discord:channel:1",
    childSessionKey: completion.childSessionKey,
    runId: RUN,
    childThread: buildAddress(town.general.id, thread.id),
  };
  return { ...town, thread, announcement };
}

/** Shows in #general that the sub-agent is at work, for someone else; resolves with the message's id. */
async function showAtWork({ general, account, say }: SpeakingTown, askedBy?: string): Promise<string> {
  const platformId = await say("🌱 nap is at work");
  const run = { runId: RUN, state: "working", ...(askedBy !== undefined && { askedBy }) } as const;
  const { edits } = account.connection;
  await edits?.edit({ address: buildAddress(general.id), platformId, text: "🌱 nap is at work.", run });
  return platformId;
}

/** The id of the button with the label on the first message. */
async function findButton({ general }: SpeakingTown, label: string): Promise<string> {
  const message = (await general.messages())[0]?.message;
  for (const row of message?.components ?? [])
    for (const button of "components" in row ? row.components : [])
      if ("custom_id" in button && "label" in button && button.label === label) return button.custom_id;
  throw new Error(`no button "${label}"`);
}

describe("a completion", () => {
  test("is a card with a link to its thread, and calls nobody", async () => {
    const { discord, guild, thread, general, account, announcement } = await openEndedTown();
    const receipt = await account.announce(announcement);
    const [message] = await general.messages();
    expect(message?.messageId).toBe(receipt?.platformId);
    expect(message?.message.embeds[0]?.title).toBe("✅ nap");
    expect(message?.message.content).toBe("I slept well.");
    const link = { label: "Open thread", url: discord.url.replace(/\/api$/, `/channels/${guild.id}/${thread.id}`) };
    expect(message?.message.components?.[0]).toMatchObject({
      components: expect.arrayContaining([expect.objectContaining(link)]),
    });
    expect((await discord.record({ route: SEND }))[0]?.body).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  test.each([0, 10])("D5: whose answer was lost stands once, also %i minutes later", async (minutes) => {
    const { discord, general, account, announcement } = await openEndedTown();
    await discord.faults.add({ kind: "drop-answer", route: SEND });
    await expect(account.announce(announcement)).rejects.toMatchObject({ class: "ambiguous" });
    await discord.passTime(minutes * 60_000);
    account.passTime(minutes * 60_000);
    const { delivery } = announcement;
    const again = await account.announce({
      ...announcement,
      delivery: { ...delivery, attempt: 2, mayHaveArrived: true },
    });
    expect((await general.messages()).map(({ messageId }) => messageId)).toEqual([again?.platformId]);
  });

  test("offers no stop: what has ended cannot be stopped, and its last edit takes the button away", async () => {
    const town = await openEndedTown();
    const platformId = await showAtWork(town);
    expect(await findButton(town, "Stop")).toMatch(/^b1\.k\./);
    const address = buildAddress(town.general.id);
    await town.account.connection.edits?.edit({ address, platformId, text: "✅ nap · done." });
    await town.account.announce(town.announcement);
    const labels = (await town.general.messages()).map(({ message }) => JSON.stringify(message.components));
    expect(labels).toEqual(["[]", expect.stringContaining("Open thread")]);
    expect(labels.join()).not.toContain("Stop");
  });

  test("is sent without a link where its thread cannot be looked up", async () => {
    const { discord, general, account, announcement } = await openEndedTown();
    const route = "GET /channels/:channel";
    await discord.faults.add({ kind: "status", route, status: 502 });
    const childThread = buildAddress(general.id, "1600000000000000009");
    const receipt = await account.announce({ ...announcement, childThread });
    const [message] = await general.messages();
    expect([message?.messageId, message?.message.components]).toEqual([receipt?.platformId, []]);
  });

  test("of another account, or another channel, is left to others", async () => {
    const { account, announcement } = await openEndedTown();
    for (const [channel, name] of [
      ["discord", "other"],
      ["telegram", "default"],
    ] as const) {
      const target = formatAddress({ channel, account: name, kind: "channel", chat: "1" });
      expect(await account.announce({ ...announcement, target })).toBeUndefined();
    }
  });
});

describe("attack 27: a button", () => {
  test("that is pressed is a command of the one who pressed it", async () => {
    const town = await openEndedTown();
    const platformId = await showAtWork(town);
    const pressed = await town.inGeneral.presses(platformId, await findButton(town, "Stop"));
    await town.account.receives(1);
    expect(town.account.received[0]).toMatchObject({
      id: pressed.id,
      text: `/kill ${RUN}`,
      sender: { id: town.ada.id },
    });
    expect(await pressed.acknowledged()).toMatchObject({ isEphemeral: true });
  });

  test("works after a restart, and a press that comes twice counts once", async () => {
    const town = await openEndedTown();
    const platformId = await showAtWork(town);
    await town.account.close();
    const second = town.createAccount({ cursor: town.account.cursor });
    await second.connect();
    await town.discord.gateway.duplicate(1);
    await town.inGeneral.presses(platformId, await findButton(town, "Stop"));
    await second.says(/acknowledged too late, or before/);
    expect(second.received.map(({ text }) => text)).toEqual([`/kill ${RUN}`]);
  });

  test("that is pressed after a week is too old", async () => {
    const town = await openEndedTown();
    const platformId = await showAtWork(town);
    await town.discord.passTime(8 * DAYS);
    town.account.passTime(8 * DAYS);
    await town.say("a week later");
    const pressed = await town.inGeneral.presses(platformId, await findButton(town, "Stop"));
    expect((await pressed.acknowledged()).content).toMatch(/too old/);
    expect(town.account.received).toEqual([]);
  });

  test("is for the one who asked, where that is known", async () => {
    const town = await openEndedTown();
    const { discord, guild, general, ada, account } = town;
    await showAtWork(town, ada.id);
    const ben = await discord.user({ id: "100000000000000043", username: "ben" });
    await guild.joins(ben);
    const customId = await findButton(town, "Stop");
    const messageId = (await general.messages())[0]?.messageId ?? "";
    const refused = await (await ben.in(general).presses(messageId, customId)).acknowledged();
    expect(refused).toMatchObject({ isEphemeral: true, content: expect.stringContaining("the one who asked") });
    expect(account.received).toEqual([]);
    await (await ada.in(general).presses(messageId, customId)).acknowledged();
    expect(await account.receives(1)).toEqual([`/kill ${RUN}`]);
  });

  test("that somebody made up, or that is for somebody else, does nothing", async () => {
    const { discord, general, guild, ada, account } = await openEndedTown();
    const expiresAt = Date.now() + DAYS;
    const forBob = formatButtonId({ action: "kill", runId: RUN, userId: "42", expiresAt }, deriveButtonKey(TOKEN));
    const forged = formatButtonId({ action: "kill", runId: RUN, expiresAt }, deriveButtonKey("b.o.b"));
    for (const [at, customId] of [forBob, forged, "kill", "", "b1.k.x"].entries()) {
      const member = { user: { id: ada.id, username: "ada" }, roles: [] };
      const where = { channel_id: general.id, guild_id: guild.id, channel: { id: general.id, type: 0 }, member };
      const data = { custom_id: customId, component_type: 2 };
      const id = `160000000000000000${at}`;
      await discord.gateway.pushes("INTERACTION_CREATE", {
        id,
        type: 3,
        token: "t",
        message: { id: "1" },
        data,
        ...where,
      });
    }
    await discord.called(CALLBACK, 5);
    const said = (await discord.record({ route: CALLBACK })).map(({ body }) => JSON.stringify(body));
    expect(said[0]).toMatch(/for the one who asked/);
    for (const words of said.slice(1)) expect(words).toMatch(/none of mine/);
    expect(account.received).toEqual([]);
  });
});
