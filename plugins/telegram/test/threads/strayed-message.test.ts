import { formatAddress } from "@banyan/plugin-sdk";
import { assert, describe, expect, test } from "vitest";
import { openTelegramTown } from "../telegram-town.ts";
import { buildOutbound, type TestAccountOptions } from "../test-account.ts";

/** Ada's private chat with the bot, with a sub-agent's topic that she has deleted: Telegram tells the bot nothing of it. */
async function openGoneTopic(options: TestAccountOptions = {}) {
  const { telegram, ada, createAccount } = await openTelegramTown();
  await telegram.setBot({ abilities: { has_topics_enabled: true, allows_users_to_create_topics: true } });
  await ada.starts();
  const account = createAccount(options);
  const connection = await account.connect();
  const { threads, progress } = connection;
  assert(threads?.rename !== undefined && progress !== undefined);
  const parent = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "42" });
  const { address } = await threads.open({ bindingId: "binding-1", parent, name: "census", hello: "hello" });
  const topicId = (await ada.topics())[0]?.id ?? 0;
  const deleteTopic = () => ada.deletesTopic(topicId);
  const send = (text: string, part: object = {}) => connection.send(buildOutbound(0, text, { address, ...part }));
  const said = async () =>
    (await ada.messages()).filter(({ extra }) => extra?.message_thread_id === undefined).map(({ text }) => text);
  return { telegram, ada, account, threads, rename: threads.rename, progress, address, deleteTopic, send, said };
}

describe("T18, T21, T25: what is meant for a topic of a private chat that is gone", () => {
  test("is marked where Telegram has put it, in the chat, and the topic is said to be gone", async () => {
    const { account, address, deleteTopic, send, said } = await openGoneTopic();
    await deleteTopic();
    await send("**still** here");
    expect(await said()).toEqual(["(topic gone)\nstill here"]);
    expect(account.gone).toEqual([address]);
  });

  test("stands in its topic unmarked while that is there", async () => {
    const { account, send, said } = await openGoneTopic();
    await send("still here");
    expect(await said()).toEqual([]);
    expect(account.gone).toEqual([]);
  });

  test("is marked in its caption where it is a file", async () => {
    const { account, address, deleteTopic, send, said } = await openGoneTopic();
    await deleteTopic();
    await send("the list", { file: { name: "a.txt", sizeBytes: 1, read: async () => new Uint8Array([65]) } });
    expect(await said()).toEqual(["(topic gone)\nthe list"]);
    expect(account.gone).toEqual([address]);
  });

  test("is unclear, and not sent again without a mark, where its end could not be stored", async () => {
    const { account, deleteTopic, send, said } = await openGoneTopic();
    await deleteTopic();
    account.refusesGone = true;
    await expect(send("still here")).rejects.toMatchObject({ class: "ambiguous" });
    expect(await said()).toEqual(["still here"]);
  });

  test("stays there where the mark is refused", async () => {
    const { telegram, account, deleteTopic, send, said } = await openGoneTopic();
    await deleteTopic();
    const description = "Bad Request: message can't be edited";
    await telegram.faults.add({ kind: "refuse", method: "editMessageText", code: 400, description });
    await send("still here");
    expect(await said()).toEqual(["still here"]);
    expect(account.gone).toHaveLength(1);
  });

  test("is taken back and told to be undeliverable with threads.fallback refuse, which people are told", async () => {
    const { account, deleteTopic, send, said } = await openGoneTopic({ threadFallback: "refuse" });
    await deleteTopic();
    await expect(send("hello?")).rejects.toMatchObject({ class: "thread_gone" });
    expect(await said()).toEqual([]);
    expect(account.notices).toEqual([expect.stringContaining("is deleted.")]);
  });

  test("does not grow beside it: only the answer stands there", async () => {
    const growing = { config: { growingAnswers: "edits" } } as const;
    const { account, telegram, progress, address, deleteTopic, send, said } = await openGoneTopic(growing);
    await deleteTopic();
    const gate = await telegram.faults.hold({ method: "deleteMessage" });
    progress.update({ turnId: "turn-1", address, textSoFar: "Once" });
    await account.clock.awaitAlarm(1_500);
    account.clock.advance(1_500);
    await gate.reached(1);
    progress.update({ turnId: "turn-1", address, textSoFar: "Once upon" });
    await gate.release();
    progress.end({ turnId: "turn-1", address });
    await send("Once upon a time.", { turnId: "turn-1" });
    expect(await said()).toEqual(["(topic gone)\nOnce upon a time."]);
    // The hello, what began to grow, the answer.
    expect(await telegram.record({ method: "sendMessage" })).toHaveLength(3);
  });
});

describe("T21, T25: the end of a topic of a private chat that is gone", () => {
  test("is told to be one, by its mark and by its goodbye, of which nothing stands in the chat", async () => {
    const { threads, rename, address, deleteTopic, said } = await openGoneTopic();
    await deleteTopic();
    await expect(rename({ address, name: "✅ census" })).rejects.toMatchObject({ class: "thread_gone" });
    const closing = { bindingId: "binding-1", address, goodbye: "bye" };
    await expect(threads.archive(closing)).rejects.toMatchObject({ class: "thread_gone" });
    expect(await said()).toEqual([]);
  });

  test("a look finds it", async () => {
    const { threads, address, deleteTopic, said } = await openGoneTopic();
    expect(await threads.probe(address)).toBe("open");
    await deleteTopic();
    expect(await threads.probe(address)).toBe("gone");
    expect(await said()).toEqual([]);
  });
});
