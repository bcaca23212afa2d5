import { assert, describe, expect, test } from "vitest";
import { openSpeakingTown, SEND } from "../discord-town.ts";
import { buildAddress, type TestAccountOptions } from "../test-account.ts";

const MINUTES = 60_000;

/** #general with the thread of a sub-agent, and what is said there. */
async function openThread(options: TestAccountOptions = {}) {
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
    expect(account.goneThreads).toEqual([address, address]);
  });

  test("goes nowhere with threads.fallback refuse", async () => {
    const { account, thread, tell, saidInGeneral } = await openThread({ threadFallback: "refuse" });
    await thread.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    await expect(tell("hello?")).rejects.toMatchObject({ class: "thread_gone" });
    expect(await saidInGeneral()).toEqual([]);
  });

  test("is undeliverable where the thread was a forum's post", async () => {
    const { guild, account, ada, say } = await openSpeakingTown();
    const forum = await guild.createChannel({ name: "forum", kind: "forum" });
    const post = await forum.createThread(ada, { name: "a post", text: "hello" });
    await post.deletes();
    await account.until("the news", () => account.goneThreads.length > 0);
    const address = buildAddress(forum.id, post.id);
    await expect(say("there", { address })).rejects.toMatchObject({ class: "thread_gone" });
  });
});
