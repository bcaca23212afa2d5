import { assert, describe, expect, test } from "vitest";
import { openSpeakingTown, SEND } from "../discord-town.ts";
import { BOT_ID, buildAddress } from "../test-account.ts";

const MINUTES = 60_000;

/** #general with the thread of a sub-agent, and what is said there. */
async function openThread(options: Parameters<typeof openSpeakingTown>[0] = {}) {
  const town = await openSpeakingTown(options);
  const parent = buildAddress(town.general.id);
  const opening = { bindingId: "binding-1", parent, name: "nap", hello: "hello" };
  const { address } = (await town.account.connection.threads?.open(opening)) ?? {};
  const [thread] = await town.general.threads();
  assert(address !== undefined && thread !== undefined);
  const before = (await town.general.messages()).length;
  return {
    ...town,
    thread,
    address,
    tell: (text: string, part: object = {}) => town.say(text, { address, ...part }),
    saidInGeneral: async () => (await town.general.messages()).slice(before).map(({ text }) => text),
  };
}

describe("D18: an answer that is due in a deleted thread", () => {
  test("goes to the channel that the thread was in, and nobody is bound to the thread before that", async () => {
    const { discord, account, general, inGeneral, thread, address, tell, saidInGeneral } = await openThread();
    const asked = await inGeneral.says("still there?");
    await thread.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    const gate = await discord.faults.hold({ route: SEND, channelId: general.id });
    const telling = tell("**still** here", { replyTo: asked });
    await gate.reached(1);
    expect(account.goneThreads).toEqual([address, address]);
    await gate.release();
    await telling;
    expect(await saidInGeneral()).toEqual(["(thread gone)\n**still** here"]);
    expect(account.notices).toEqual([]);
  });

  test("does so also where nobody told that it was deleted", async () => {
    const { discord, account, address, tell, saidInGeneral } = await openThread();
    const body = { message: "Unknown Channel", code: 10003 };
    await discord.faults.add({ kind: "status", route: SEND, status: 404, body });
    await tell("hello?");
    expect(account.goneThreads).toEqual([address]);
    expect(await saidInGeneral()).toEqual(["(thread gone)\nhello?"]);
  });

  test("stands there once, however late it is tried again after a lost answer", async () => {
    const { discord, account, general, thread, tell, saidInGeneral } = await openThread();
    await thread.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    await discord.faults.add({ kind: "drop-answer", route: SEND, channelId: general.id });
    const createdAt = account.clock.now();
    await expect(tell("once", { createdAt })).rejects.toMatchObject({ class: "ambiguous" });
    await discord.passTime(10 * MINUTES);
    account.passTime(10 * MINUTES);
    await tell("once", { createdAt, attempt: 2, mayHaveArrived: true });
    expect(await saidInGeneral()).toEqual(["(thread gone)\nonce"]);
  });

  test("is not shown to all where it was for few", async () => {
    const { account, thread, address, tell, saidInGeneral } = await openThread({ config: { threadType: "private" } });
    await thread.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    await expect(tell("a secret")).rejects.toMatchObject({ class: "thread_gone" });
    expect(await saidInGeneral()).toEqual([]);
    expect(account.notices).toEqual([
      "A thread of this channel was deleted while an answer was due in it. What is due there is not shown here, since not everybody here could read the thread.",
    ]);
    expect(account.goneThreads).toEqual([address, address]);
  });

  test("goes nowhere with threads.fallback refuse", async () => {
    const { account, thread, tell, saidInGeneral } = await openThread({ threadFallback: "refuse" });
    await thread.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    await expect(tell("hello?")).rejects.toMatchObject({ class: "thread_gone" });
    expect(await saidInGeneral()).toEqual([]);
  });

  test("is undeliverable where the thread was a forum's post, which those are told who asked for its sub-agent", async () => {
    const { guild, account, ada, say } = await openSpeakingTown();
    const forum = await guild.createChannel({ name: "forum", kind: "forum" });
    const post = await forum.createThread(ada, { name: "a post", text: "hello" });
    await post.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    const why = `A post of <#${forum.id}> was deleted. ${PLACELESS}`;
    expect(account.told).toEqual([["requester", why]]);
    const address = buildAddress(forum.id, post.id);
    await expect(say("there", { address })).rejects.toMatchObject({ class: "thread_gone" });
    expect(account.told.at(-1)).toEqual(["requester", why]);
  });
});

const PLACELESS =
  "What is due there is not shown, since a forum takes no messages of its own. `/subagents send` still works.";
const REOPEN = "PATCH /channels/:channel";
const HERE = "What is due there comes here.";
const HIDDEN = "What is due there is not shown here, since not everybody here could read the thread.";

describe("an answer that is due in a thread that is shut", () => {
  test.each([
    ["D22", 50083],
    ["D23", 160005],
  ])("%s: opens the thread where the bot may, and is tried once more", async (_, code) => {
    const { discord, account, thread, tell, saidInGeneral } = await openThread();
    await thread.archives();
    await discord.faults.add({ kind: "status", route: SEND, status: 400, body: { message: "No", code } });
    await tell("hello");
    expect((await thread.messages()).map(({ text }) => text)).toContain("hello");
    expect(await discord.record({ route: REOPEN })).toHaveLength(1);
    expect([await saidInGeneral(), account.goneThreads]).toEqual([[], []]);
  });

  test("is tried no second time where Discord refuses it again", async () => {
    const { discord, thread, tell, saidInGeneral } = await openThread();
    const body = { message: "Thread is archived", code: 50083 };
    await discord.faults.add({ kind: "status", route: SEND, status: 400, body, channelId: thread.id, times: "always" });
    await tell("hello");
    expect(await discord.record({ route: REOPEN })).toHaveLength(1);
    expect(await saidInGeneral()).toEqual(["(thread shut)\nhello"]);
  });

  test.each([
    ["D23", "locked", ["ManageThreads"], "it is locked. Unlock it, or give my role Manage Threads."],
    ["D22", "archived and locked", ["ManageThreads"], "it is locked. Unlock it, or give my role Manage Threads."],
    [
      "D17",
      "without the right to write",
      ["SendMessagesInThreads"],
      "my role lacks Send Messages in Threads. Give it that.",
    ],
  ] as const)(
    "%s: (%s) goes to its channel, where the reason is told with what is missing",
    async (_, how, deny, why) => {
      const { account, general, thread, address, tell, saidInGeneral } = await openThread();
      await general.setPermissions(BOT_ID, { deny });
      if (how === "locked") await thread.locks();
      if (how === "archived and locked") await thread.archives({ locked: true });
      await tell("hello");
      expect(account.goneThreads).toEqual([address]);
      expect(account.notices).toEqual([`I can't write in the thread <#${thread.id}> any more: ${why} ${HERE}`]);
      expect(await saidInGeneral()).toEqual(["(thread shut)\nhello"]);
    },
  );

  test("is not shown to all where the thread is private", async () => {
    const { account, general, thread, tell, saidInGeneral } = await openThread({ config: { threadType: "private" } });
    await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
    await expect(tell("a secret")).rejects.toMatchObject({ class: "permanent" });
    const why = "my role lacks Send Messages in Threads. Give it that.";
    expect(account.notices).toEqual([`I can't write in the thread <#${thread.id}> any more: ${why} ${HIDDEN}`]);
    expect(await saidInGeneral()).toEqual([]);
  });

  test("is refused as before where only its file may not be sent, and the thread stays bound", async () => {
    const { account, general, tell } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["AttachFiles"] });
    const file = { name: "a.txt", sizeBytes: 1, read: async () => new Uint8Array([65]) };
    await expect(tell("here", { file })).rejects.toMatchObject({ class: "permanent" });
    expect(account.goneThreads).toEqual([]);
  });

  test("is not unclear where only the opening was cut off", async () => {
    const { discord, general, thread, tell } = await openThread();
    await thread.archives();
    const body = { message: "Thread is archived", code: 50083 };
    await discord.faults.add({ kind: "status", route: SEND, status: 400, body });
    await discord.faults.add({ kind: "drop-answer", route: REOPEN });
    await expect(tell("hello")).rejects.toMatchObject({ class: "definite" });
    expect(general.id).toBeTruthy();
  });
});

describe("an answer that may have arrived in its thread before that takes none any more", () => {
  /** An attempt in the thread without an end, and the next one some seconds later. */
  async function openUnclear(kind: "drop-answer" | "cut", deny: readonly ("ManageThreads" | "ReadMessageHistory")[]) {
    // Discord does not say whether it knows a nonce in another channel.
    const town = await openThread({ emulator: { channelNonces: true } });
    const { discord, account, general, thread, tell, saidInGeneral } = town;
    await general.setPermissions(BOT_ID, { deny: [...deny] });
    const createdAt = account.clock.now();
    await discord.faults.add({ kind, route: SEND, channelId: thread.id });
    await expect(tell("**hello**", { createdAt })).rejects.toMatchObject({ class: "ambiguous" });
    const passTime = async (delayMs: number) => {
      await discord.passTime(delayMs);
      account.passTime(delayMs);
    };
    const tellAgain = (attempt: number) => tell("**hello**", { createdAt, attempt, mayHaveArrived: true });
    const said = async () => [
      (await thread.messages())
        .map(({ text }) => text)
        .filter((text) => text.includes("hello"))
        .slice(1),
      await saidInGeneral(),
    ];
    return { ...town, passTime, tellAgain, said };
  }

  test.each(["drop-answer", "cut"] as const)(
    "stands there once, in the thread or in its channel, when it is locked within the nonce's time (%s)",
    async (kind) => {
      const { thread, passTime, tellAgain, said } = await openUnclear(kind, ["ManageThreads"]);
      await thread.locks();
      await passTime(5_000);
      await tellAgain(2);
      expect(await said()).toEqual(kind === "drop-answer" ? [["**hello**"], []] : [[], ["(thread shut)\n**hello**"]]);
    },
  );

  test("bears the repeat mark where the bot may not read back", async () => {
    const { discord, general, thread, passTime, tellAgain, said } = await openUnclear("drop-answer", [
      "ManageThreads",
      "ReadMessageHistory",
    ]);
    await thread.locks();
    await passTime(5_000);
    await discord.faults.add({ kind: "drop-answer", route: SEND, channelId: general.id });
    await expect(tellAgain(2)).rejects.toMatchObject({ class: "ambiguous" });
    const once = [["**hello**"], ["(thread shut)\n(may be repeated)\n**hello**"]];
    expect(await said()).toEqual(once);
    await tellAgain(3);
    expect(await said()).toEqual(once);
  });

  test("bears it where the thread is deleted, and stands there once however late it is tried again", async () => {
    const { discord, account, general, thread, passTime, tellAgain, saidInGeneral } = await openUnclear(
      "drop-answer",
      [],
    );
    await thread.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    await passTime(5_000);
    await discord.faults.add({ kind: "drop-answer", route: SEND, channelId: general.id });
    await expect(tellAgain(2)).rejects.toMatchObject({ class: "ambiguous" });
    await passTime(10 * MINUTES);
    await tellAgain(3);
    expect(await saidInGeneral()).toEqual(["(thread gone)\n(may be repeated)\n**hello**"]);
  });
});

describe("what people write in a thread that is shut", () => {
  test("reaches no agent until the thread takes messages again", async () => {
    const { account, general, ada, thread, tell } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
    await tell("hello");
    await ada.in(thread).says("anybody?");
    await ada.in(general).says("here I am");
    expect(await account.receives(1)).toEqual(["here I am"]);
    await general.setPermissions(BOT_ID, { deny: [] });
    await ada.in(thread).says("and now?");
    expect(await account.receives(2)).toEqual(["here I am", "and now?"]);
  });

  test("reaches none after ten minutes either, while the bot still may not write", async () => {
    const { account, general, ada, thread, tell } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
    await tell("hello");
    account.passTime(10 * MINUTES);
    await ada.in(thread).says("anybody?");
    await ada.in(general).says("here I am");
    expect(await account.receives(1)).toEqual(["here I am"]);
  });

  test("reaches none in another life either, also what was written before that, and people are told once", async () => {
    const { account, general, ada, thread, tell, createAccount } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
    await tell("hello");
    await account.close();
    await ada.in(thread).says("while you were away?");
    const next = createAccount({ cursor: account.cursor });
    await next.connect();
    await ada.in(thread).says("anybody?");
    await ada.in(general).says("here I am");
    expect(await next.receives(1)).toEqual(["here I am"]);
    expect([account.notices.length, next.notices.length]).toEqual([1, 0]);
  });

  test("reaches one in another life where the bot was given the permission meanwhile", async () => {
    const { account, general, ada, thread, tell, createAccount } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
    await tell("hello");
    await account.close();
    await general.setPermissions(BOT_ID, { deny: [] });
    const next = createAccount({ cursor: account.cursor });
    await next.connect();
    await ada.in(thread).says("anybody?");
    expect(await next.receives(1)).toEqual(["anybody?"]);
  });
});

describe("a thread that a look finds shut", () => {
  test("is told of with the words of a message that is refused there, and what is written there reaches no agent", async () => {
    const { account, general, ada, thread, address, tell } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
    expect(await account.connection.threads?.probe(address)).toBe("gone");
    const why = "my role lacks Send Messages in Threads. Give it that.";
    const notice = `I can't write in the thread <#${thread.id}> any more: ${why} ${HERE}`;
    expect(account.notices).toEqual([notice]);
    await ada.in(thread).says("anybody?");
    await ada.in(general).says("here I am");
    expect(await account.receives(1)).toEqual(["here I am"]);
    await tell("hello");
    expect(account.notices).toEqual([notice, notice]);
  });

  test("is told of to those who asked for its sub-agent where it is a forum's post", async () => {
    const { guild, account, ada } = await openSpeakingTown();
    const forum = await guild.createChannel({ name: "forum", kind: "forum" });
    const post = await forum.createThread(ada, { name: "a post", text: "hello" });
    await forum.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
    expect(await account.connection.threads?.probe(buildAddress(forum.id, post.id))).toBe("gone");
    const why = "my role lacks Send Messages in Threads. Give it that.";
    expect(account.told).toEqual([
      ["requester", `I can't write in the thread <#${post.id}> any more: ${why} ${PLACELESS}`],
    ]);
  });
});

describe("a channel in which the bot may not write", () => {
  async function openMute() {
    const town = await openSpeakingTown();
    const { general, guild, say } = town;
    const other = await guild.createChannel({ name: "other", kind: "text" });
    await general.setPermissions(BOT_ID, { deny: ["SendMessages"] });
    await expect(say("hello")).rejects.toMatchObject({ class: "permanent" });
    return { ...town, other };
  }
  const NOTE = /can't write in channel \d+ \(lacks Send Messages\)/;

  test("D17: is told to the operator once, and what people write there reaches no agent until the bot may", async () => {
    const { account, ada, general, inGeneral, other, say } = await openMute();
    expect(account.reports.at(-1)).toMatchObject({ state: "running", error: { message: expect.stringMatching(NOTE) } });
    await inGeneral.says("anybody?");
    await ada.in(other).says("here I am");
    expect(await account.receives(1)).toEqual(["here I am"]);
    await expect(say("again")).rejects.toMatchObject({ class: "permanent" });
    expect(account.logged.filter(({ level, message }) => level === "warn" && NOTE.test(message))).toHaveLength(1);
    await general.setPermissions(BOT_ID, { deny: [] });
    await inGeneral.says("and now?");
    expect(await account.receives(2)).toEqual(["here I am", "and now?"]);
    expect(account.reports.at(-1)).toEqual({ state: "running" });
  });

  test("D17: is known in another life, where the operator sees it too", async () => {
    const { account, ada, inGeneral, other, createAccount } = await openMute();
    await account.close();
    const next = createAccount({ cursor: account.cursor });
    await next.connect();
    expect(next.reports.at(-1)).toMatchObject({ state: "running", error: { message: expect.stringMatching(NOTE) } });
    await inGeneral.says("anybody?");
    await ada.in(other).says("here I am");
    expect(await next.receives(1)).toEqual(["here I am"]);
  });

  test("is none where only a file may not be sent", async () => {
    const { account, general, say } = await openSpeakingTown();
    await general.setPermissions(BOT_ID, { deny: ["AttachFiles"] });
    const file = { name: "a.txt", sizeBytes: 1, read: async () => new Uint8Array([65]) };
    await expect(say("here", { file })).rejects.toMatchObject({ class: "permanent" });
    expect(account.reports).toEqual([]);
  });
});
