import { expect, test } from "vitest";
import { openSpeakingTown, SEND } from "../discord-town.ts";
import { BOT_ID, buildAddress } from "../test-account.ts";

const MINUTES = 60_000;

test("a reply stands below what it answers, and calls nobody", async () => {
  const { discord, inGeneral, say } = await openSpeakingTown();
  const asked = await inGeneral.says("hello?");
  await say("hello **you**", { replyTo: asked });
  const heard = await inGeneral.hears("hello **you**", { once: true });
  expect(heard.message.referenced_message?.id).toBe(asked);
  const [{ body } = { body: undefined }] = await discord.record({ route: SEND });
  expect(body).toMatchObject({ allowed_mentions: { parse: [] }, enforce_nonce: true });
});

test("D1: 2,000 characters are sent, and one more is too long", async () => {
  const { general, say } = await openSpeakingTown();
  await say("a".repeat(2_000));
  await expect(say("b".repeat(2_001))).rejects.toMatchObject({ class: "too_long" });
  expect((await general.messages()).map(({ text }) => text.length)).toEqual([2_000]);
});

test("D2: a message that Discord finds empty is not tried again", async () => {
  const { say } = await openSpeakingTown();
  await expect(say(" \n\n ")).rejects.toMatchObject({ class: "permanent" });
});

test("D5: a message whose answer was lost is sent again and stands once", async () => {
  const { discord, general, say } = await openSpeakingTown();
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  await expect(say("hello")).rejects.toMatchObject({ class: "ambiguous" });
  const platformId = await say("hello", { attempt: 2, mayHaveArrived: true });
  expect((await general.messages()).map(({ messageId }) => messageId)).toEqual([platformId]);
});

test.each([true, false])(
  "D5: after the nonce's time it is found in the history (which has nonces: %s)",
  async (historyNonces) => {
    const { discord, general, account, inGeneral, say } = await openSpeakingTown({ emulator: { historyNonces } });
    const createdAt = Date.now();
    await discord.faults.add({ kind: "drop-answer", route: SEND });
    await expect(say("# hello", { createdAt })).rejects.toMatchObject({ class: "ambiguous" });
    for (let each = 0; each < 120; each += 1) await inGeneral.says(`chatter ${each}`);
    await discord.passTime(10 * MINUTES);
    account.passTime(10 * MINUTES);
    const platformId = await say("# hello", { createdAt, attempt: 2, mayHaveArrived: true });
    expect((await general.messages()).map(({ messageId }) => messageId)).toEqual([platformId]);
  },
);

test("D5: what Discord has put a preview of a link behind is found in the history, too", async () => {
  const { discord, general, account, inGeneral, say } = await openSpeakingTown();
  const text = "see https://example.com";
  const createdAt = Date.now();
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  await expect(say(text, { createdAt })).rejects.toMatchObject({ class: "ambiguous" });
  const [said] = await general.messages();
  await inGeneral.unfurls(said?.messageId ?? "", { title: "Example", url: "https://example.com" });
  await discord.passTime(10 * MINUTES);
  account.passTime(10 * MINUTES);
  const platformId = await say(text, { createdAt, attempt: 2, mayHaveArrived: true });
  expect((await general.messages()).map(({ messageId }) => messageId)).toEqual([platformId]);
});

test("D5: where the bot may not read back nothing is said twice, and the permission is named", async () => {
  const { discord, general, account, say } = await openSpeakingTown();
  await general.setPermissions(BOT_ID, { deny: ["ReadMessageHistory"] });
  const createdAt = Date.now();
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  await expect(say("hello", { createdAt })).rejects.toMatchObject({ class: "ambiguous" });
  await discord.passTime(10 * MINUTES);
  account.passTime(10 * MINUTES);
  const again = { createdAt, attempt: 2, mayHaveArrived: true } as const;
  await expect(say("hello", again)).rejects.toThrow("give it Read Message History");
  expect(await general.messages()).toHaveLength(1);
  await general.setPermissions(BOT_ID, { deny: [] });
  const platformId = await say("hello", again);
  expect((await general.messages()).map(({ messageId }) => messageId)).toEqual([platformId]);
});

test("D5: a clock that went back has the history read, too", async () => {
  const { discord, general, account, say } = await openSpeakingTown();
  const createdAt = account.clock.now();
  await discord.faults.add({ kind: "drop-answer", route: SEND });
  await expect(say("hello", { createdAt })).rejects.toMatchObject({ class: "ambiguous" });
  await discord.passTime(10 * MINUTES);
  account.passTime(-2 * MINUTES);
  const platformId = await say("hello", { createdAt, attempt: 2, mayHaveArrived: true });
  expect((await general.messages()).map(({ messageId }) => messageId)).toEqual([platformId]);
});

test("D5: what never arrived is sent after all, also where another delivery said the same", async () => {
  const delivered: string[] = [];
  const { discord, general, account, say } = await openSpeakingTown({ delivered });
  const createdAt = Date.now();
  delivered.push(await say("done", { deliveryId: "first" }));
  await discord.faults.add({ kind: "cut", route: SEND });
  const second = { deliveryId: "second", createdAt } as const;
  await expect(say("done", second)).rejects.toMatchObject({ class: "ambiguous" });
  await discord.passTime(10 * MINUTES);
  account.passTime(10 * MINUTES);
  const platformId = await say("done", { ...second, attempt: 2, mayHaveArrived: true });
  expect(delivered).not.toContain(platformId);
  expect(await general.messages()).toHaveLength(2);
});

test("D5: another's words are nobody's delivery, nor is what was said before it", async () => {
  const { discord, general, account, inGeneral, say } = await openSpeakingTown();
  await say("done", { deliveryId: "long ago" });
  await discord.passTime(30 * MINUTES);
  account.passTime(30 * MINUTES);
  await inGeneral.says("done");
  const createdAt = account.clock.now();
  await discord.passTime(10 * MINUTES);
  account.passTime(10 * MINUTES);
  const platformId = await say("done", { deliveryId: "now", createdAt, attempt: 2, mayHaveArrived: true });
  expect((await general.messages()).map(({ messageId }) => messageId).at(-1)).toBe(platformId);
  expect(await general.messages()).toHaveLength(2);
});

test("D5: a history that cannot be read leaves it open, and nothing is sent", async () => {
  const { discord, account, say } = await openSpeakingTown();
  const createdAt = account.clock.now();
  account.passTime(10 * MINUTES);
  await discord.faults.add({ kind: "status", route: "GET /channels/:channel/messages", status: 502 });
  const part = { createdAt, attempt: 2, mayHaveArrived: true } as const;
  await expect(say("hello", part)).rejects.toMatchObject({ class: "ambiguous" });
  expect(await discord.record({ route: SEND })).toEqual([]);
});

test("D19: what answers a message that is gone is said all the same", async () => {
  const { discord, inGeneral, say } = await openSpeakingTown();
  const asked = await inGeneral.says("hello?");
  await inGeneral.deletes(asked);
  await say("hello", { replyTo: asked });
  const heard = await inGeneral.hears("hello", { once: true });
  expect(heard.message.message_reference).toBeUndefined();
  expect(await discord.record({ route: SEND })).toHaveLength(1);
});

test("D27: where the bot may not read back it says it without a reply, once", async () => {
  const { general, guild, inGeneral, say } = await openSpeakingTown();
  const asked = await inGeneral.says("hello?");
  await general.setPermissions(guild.id, { deny: ["ReadMessageHistory"] });
  await say("hello", { replyTo: asked });
  await inGeneral.hears("hello", { once: true });
  expect(await general.messages()).toHaveLength(1);
});

test("D16: a channel that the bot may not see is gone for it", async () => {
  const { general, guild, say } = await openSpeakingTown();
  await general.setPermissions(guild.id, { deny: ["ViewChannel"] });
  await expect(say("hello")).rejects.toMatchObject({
    class: "chat_gone",
    message: expect.stringContaining("View Channel"),
  });
});

test("D17: a permission that is missing is named", async () => {
  const { general, ada, guild, account, say } = await openSpeakingTown();
  await general.setPermissions(BOT_ID, { deny: ["SendMessages"] });
  await expect(say("hello")).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringMatching(/this needs View Channel, Send Messages$/),
  });
  await general.setPermissions(BOT_ID, { deny: ["SendMessages", "SendMessagesInThreads"] });
  const thread = await general.createThread(ada, { name: "a thread" });
  const address = buildAddress(general.id, thread.id);
  // Refused there and in its channel.
  await expect(say("there", { address })).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringMatching(/this needs View Channel, Send Messages$/),
  });
  expect(account.notices).toEqual([expect.stringContaining("my role lacks Send Messages in Threads.")]);
  void [guild, account];
});

test("D18: a channel that is deleted is gone", async () => {
  const { general, say } = await openSpeakingTown();
  await general.deletes();
  await expect(say("here")).rejects.toMatchObject({ class: "chat_gone" });
});

test("D22: what is said in an archived thread opens it", async () => {
  const { general, ada, say } = await openSpeakingTown();
  const thread = await general.createThread(ada, { name: "a thread" });
  await thread.archives();
  await say("good morning", { address: buildAddress(general.id, thread.id) });
  expect((await thread.refresh()).isArchived).toBe(false);
});

test("D23: a locked thread is closed for a bot that does not manage threads", async () => {
  const { general, ada, say } = await openSpeakingTown();
  await general.setPermissions(BOT_ID, { deny: ["ManageThreads"] });
  const thread = await general.createThread(ada, { name: "a thread" });
  await thread.locks();
  const said = say("hello", { address: buildAddress(general.id, thread.id) });
  await said;
  expect((await thread.messages()).map(({ text }) => text)).toEqual([]);
  expect((await general.messages()).map(({ text }) => text)).toEqual(["(thread shut)\nhello"]);
});

test("D28: nothing can be said into a forum itself", async () => {
  const { guild, say } = await openSpeakingTown();
  const forum = await guild.createChannel({ name: "forum", kind: "forum" });
  const said = say("hello", { address: buildAddress(forum.id) });
  await expect(said).rejects.toMatchObject({ class: "permanent", message: expect.stringContaining("make a post") });
});

test("D29: slowmode is a limit of its channel, for as long as Discord says", async () => {
  const { general, say } = await openSpeakingTown();
  await general.setPermissions(BOT_ID, { deny: ["ManageMessages"] });
  await general.slowmode(30);
  await say("one");
  const refused = await say("two").catch((error: unknown) => error);
  expect(refused).toMatchObject({ class: "rate_limited", isAccountWide: false });
  expect(refused).toHaveProperty("retryAfterMs", expect.closeTo(30_000, -4));
});

test("D32: what the server's moderation blocks is not tried again", async () => {
  const { guild, say } = await openSpeakingTown();
  await guild.rules({ blockedWords: ["rude"] });
  await expect(say("how rude")).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringContaining("moderation"),
  });
});

test("D33: a user who takes no direct messages is gone until he writes again", async () => {
  const { ada, inDm, say } = await openSpeakingTown();
  const address = buildAddress((await inDm.state()).id, undefined, "dm");
  await ada.closesDms();
  await expect(say("psst", { address })).rejects.toMatchObject({ class: "chat_gone" });
  await ada.opensDms();
  await say("psst", { address });
  await inDm.hears("psst", { once: true });
});

test("D34: no call opens a direct chat: an answer goes to the one that was written in", async () => {
  const { discord, account, inDm, say } = await openSpeakingTown();
  await inDm.says("hello");
  await account.receives(1);
  await say("hello yourself", { address: account.received[0]?.address ?? buildAddress("0") });
  await inDm.hears("hello yourself", { once: true });
  expect(await discord.record({ route: "POST /users/@me/channels" })).toEqual([]);
});
