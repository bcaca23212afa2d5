import type { DiscordThread } from "@banyan/emulator-discord";
import { describe, expect, test } from "vitest";
import type { DiscordConfig } from "../../src/discord-config.ts";
import { openSpeakingTown, SEND, type SpeakingTown } from "../discord-town.ts";
import { BOT_ID, buildAddress } from "../test-account.ts";

const BINDING = "binding-1";
const GOODBYE = "✅ “nap” is done and has left this thread.";
const TURN = "PATCH /channels/:channel";
const MINUTES = 60_000;

/** #general with one thread of a sub-agent. */
async function openThread(threadType: DiscordConfig["threadType"] = "public") {
  const town = await openSpeakingTown({ config: { threadType } });
  const parent = buildAddress(town.general.id);
  const opening = { bindingId: BINDING, parent, name: "nap", hello: "🌱 “nap” works here; write to it." };
  const opened = await town.account.connection.threads?.open(opening);
  const [thread] = await town.general.threads();
  if (opened === undefined || thread === undefined) throw new Error("no thread was opened");
  const { address } = opened;
  const archive = (name?: string) =>
    town.account.connection.threads?.archive({ bindingId: BINDING, address, goodbye: GOODBYE, ...(name && { name }) });
  return { ...town, parent, opening, address, thread, archive };
}

async function readTexts(thread: DiscordThread): Promise<readonly string[]> {
  return (await thread.messages()).map(({ text }) => text);
}

describe("archiving", () => {
  test("says goodbye, gives the name with its mark and closes, once however often it is asked", async () => {
    const { thread, archive } = await openThread();
    await archive("✅ nap");
    await archive("✅ nap");
    expect([(await thread.refresh()).isArchived, thread.name]).toEqual([true, "✅ nap"]);
    expect((await readTexts(thread)).filter((text) => text === GOODBYE)).toHaveLength(1);
  });

  test.each([
    ["the goodbye", SEND, 0],
    ["the goodbye", SEND, 10],
    ["the closing", TURN, 0],
    ["the closing", TURN, 10],
  ])("after a lost answer of %s (%s), %i minutes later, says it once", async (_, route, minutes) => {
    const { discord, account, thread, archive } = await openThread();
    await discord.faults.add({ kind: "drop-answer", route });
    await expect(archive()).rejects.toMatchObject({ class: "ambiguous" });
    await discord.passTime(minutes * MINUTES);
    account.passTime(minutes * MINUTES);
    await archive();
    expect((await thread.refresh()).isArchived).toBe(true);
    expect((await readTexts(thread)).filter((text) => text === GOODBYE)).toHaveLength(1);
  });

  test("after a lost answer, asked with other words, says goodbye once: it is the same binding's", async () => {
    const { discord, account, thread, address, archive } = await openThread();
    await discord.faults.add({ kind: "drop-answer", route: SEND });
    await expect(archive()).rejects.toMatchObject({ class: "ambiguous" });
    const goodbye = "❌ “nap” has failed and has left this thread.";
    await account.connection.threads?.archive({ bindingId: BINDING, address, goodbye });
    expect((await readTexts(thread)).filter((text) => text.includes("has left this thread"))).toEqual([GOODBYE]);
  });

  test("D18: a thread that is deleted is gone", async () => {
    const { thread, archive } = await openThread();
    await thread.deletes();
    await expect(archive()).rejects.toMatchObject({ class: "thread_gone" });
  });

  test("D23: so is one that was locked, for a bot that does not manage threads", async () => {
    const { general, thread, archive } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["ManageThreads"] });
    await thread.locks();
    await expect(archive()).rejects.toMatchObject({ class: "thread_gone" });
  });
});

describe("renaming", () => {
  test("changes the name, and nothing where it has the name or is archived", async () => {
    const { discord, account, thread, address } = await openThread();
    for (const name of ["✅ nap", "✅ nap"]) await account.connection.threads?.rename?.({ address, name });
    expect((await thread.refresh()).name).toBe("✅ nap");
    await thread.archives();
    await account.connection.threads?.rename?.({ address, name: "❌ nap" });
    expect((await thread.refresh()).name).toBe("✅ nap");
    expect(await discord.record({ route: TURN })).toHaveLength(1);
  });

  test("D9: is limited more than all else, which is told", async () => {
    const { discord, account, address } = await openThread();
    await discord.faults.add({ kind: "rate-limit", route: TURN, retryAfterMs: 480_000 });
    await expect(account.connection.threads?.rename?.({ address, name: "✅ nap" })).rejects.toMatchObject({
      class: "rate_limited",
      retryAfterMs: expect.closeTo(480_000, -3),
    });
  });
});

test("D17, D18, D22, D23: whether a thread can be written to", async () => {
  const { account, general, thread, address } = await openThread();
  const probe = () => account.connection.threads?.probe(address);
  expect(await probe()).toBe("open");
  await thread.archives();
  expect(await probe()).toBe("archived");
  await thread.unarchives();
  await general.setPermissions(BOT_ID, { deny: ["SendMessagesInThreads"] });
  expect(await probe()).toBe("gone");
  await general.setPermissions(BOT_ID, { deny: [] });
  await thread.locks();
  expect(await probe()).toBe("open");
  await general.setPermissions(BOT_ID, { deny: ["ManageThreads"] });
  expect(await probe()).toBe("gone");
  await thread.deletes();
  expect(await probe()).toBe("gone");
});

describe("taking back", () => {
  test.each(["public", "private"] as const)("a %s thread leaves nothing of it, however often", async (threadType) => {
    const { account, general, parent } = await openThread(threadType);
    for (let each = 0; each < 2; each += 1) await account.connection.threads?.withdraw({ bindingId: BINDING, parent });
    expect([await general.threads(), await general.messages()]).toEqual([[], []]);
  });

  test("also where much was said since", async () => {
    const { account, discord, general, ada, parent } = await openThread();
    await discord.sayAll(Array.from({ length: 150 }, (_, each) => ada.in(general).line(`chatter ${each}`)));
    await account.connection.threads?.withdraw({ bindingId: BINDING, parent });
    expect([await general.threads(), await general.messages()]).toEqual([[], []]);
  });

  test("a forum's post leaves nothing of it", async () => {
    const { account, guild, opening } = await openThread();
    const forum = await guild.createChannel({ name: "forum", kind: "forum" });
    const parent = buildAddress(forum.id);
    await account.connection.threads?.open({ ...opening, parent });
    await account.connection.threads?.withdraw({ bindingId: BINDING, parent });
    expect(await forum.threads()).toEqual([]);
  });

  test.each([
    ["public", SEND],
    ["public", "POST /channels/:channel/messages/:message/threads"],
    ["private", "POST /channels/:channel/threads"],
    ["private", SEND],
  ] as const)("a %s opening that was cut off at %s leaves nothing of it", async (threadType, route) => {
    const town: SpeakingTown = await openSpeakingTown({ config: { threadType } });
    const parent = buildAddress(town.general.id);
    await town.discord.faults.add({ kind: "drop-answer", route });
    const opening = { bindingId: BINDING, parent, name: "nap", hello: "hello" };
    await expect(town.account.connection.threads?.open(opening)).rejects.toMatchObject({ class: "ambiguous" });
    await town.account.connection.threads?.withdraw({ bindingId: BINDING, parent });
    expect([await town.general.threads(), await town.general.messages()]).toEqual([[], []]);
  });

  test("D17: what may not be deleted is archived", async () => {
    const { account, general, parent, thread } = await openThread();
    await general.setPermissions(BOT_ID, { deny: ["ManageThreads"] });
    await account.connection.threads?.withdraw({ bindingId: BINDING, parent });
    expect((await thread.refresh()).isArchived).toBe(true);
    expect(await general.messages()).toEqual([]);
  });

  test("other threads stay", async () => {
    const { account, general, parent, ada, thread } = await openThread();
    const others = await general.createThread(ada, { name: "nap" });
    await account.connection.threads?.withdraw({ bindingId: "binding-2", parent });
    expect((await general.threads()).map(({ id }) => id)).toEqual([thread.id, others.id]);
  });
});
