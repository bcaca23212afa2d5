import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  connectTelegramEmulator,
  createTelegramEmulator,
  spawnTelegramEmulator,
  type TelegramEmulator,
} from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

const PLACES = [
  { place: "in this process", start: () => createTelegramEmulator() },
  { place: "in a process of its own", start: () => spawnTelegramEmulator() },
];

describe.each(PLACES)("an emulator $place", ({ start }) => {
  let emulator: TelegramEmulator;
  let api: CallApi;

  beforeEach(async () => {
    emulator = await start();
    await emulator.addBot(GROVE);
    api = createBotClient(emulator.url);
  });
  afterEach(() => emulator.close());

  it("carries a message to the bot and the answer to the user", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada", username: "ada" });
    await ada.says("hello");
    const updates = await api("getUpdates", { timeout: 50 });
    expect(pick(updates.result, 0, "message", "text")).toBe("hello");
    expect(pick(updates.result, 0, "message", "chat")).toEqual({
      id: 7,
      type: "private",
      first_name: "Ada",
      username: "ada",
    });
    const hearing = ada.hears(/^hello, Ada/);
    await api("sendMessage", { chat_id: 7, text: "hello, Ada" });
    expect((await hearing).text).toBe("hello, Ada");
  });

  it("wakes a waiting poll, with all that was said in one go in one answer", async () => {
    const [ada, bob] = [
      await emulator.user({ id: 7, firstName: "Ada" }),
      await emulator.user({ id: 8, firstName: "Bob" }),
    ];
    const gate = await emulator.faults.hold({ method: "getUpdates", at: "answer" });
    const poll = api("getUpdates", { timeout: 50 });
    await emulator.sayAll([
      { user: ada, text: "one" },
      { user: bob, text: "two" },
    ]);
    await gate.reached();
    await gate.release();
    expect(list((await poll).result).map((update) => pick(update, "message", "text"))).toEqual(["one", "two"]);
  });

  it("keeps every version of a message, also after its deletion", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    await ada.says("work");
    const id = pickId(await api("sendMessage", { chat_id: 7, text: "working" }));
    await api("editMessageText", { chat_id: 7, message_id: id, text: "done" });
    await ada.hears("working");
    await ada.hears("done");
    expect((await ada.messages()).map(({ text }) => text)).toEqual(["done"]);
    await api("deleteMessage", { chat_id: 7, message_id: id });
    expect(await ada.messages()).toEqual([]);
    const [chat] = await emulator.chats();
    const message = chat?.messages.at(-1);
    expect(message).toMatchObject({ messageId: id, isDeleted: true });
    expect(message?.versions.map(({ text }) => text)).toEqual(["working", "done"]);
  });

  it("gives the bot a user's edit as edited_message", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    await ada.edits(await ada.says("helo"), "hello");
    const { result } = await api("getUpdates");
    expect(pick(result, 1, "edited_message", "text")).toBe("hello");
    expect(pick(result, 1, "edited_message", "message_id")).toBe(pick(result, 0, "message", "message_id"));
    expect(pick(result, 1, "edited_message", "edit_date")).toBeTypeOf("number");
  });

  it("prints the chat when a user does not hear what a test expects", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    await ada.says("hello");
    await api("sendMessage", { chat_id: 7, text: "who is there?" });
    const hearing = ada.hears("hello, Ada", { timeoutMs: 0 });
    await expect(hearing).rejects.toMatchObject({
      code: "not_heard",
      message: 'Ada did not receive "hello, Ada" in 0 ms. The chat so far:\n  1 Ada: hello\n  2 bot: who is there?',
    });
  });

  it("hears messages in any order, each once, and finds repeats", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    await ada.starts();
    for (const text of ["one", "two", "two"]) await api("sendMessage", { chat_id: 7, text });
    const second = await ada.hears("two");
    expect(await ada.hears(({ text }) => text === "one", { once: true })).toMatchObject({ text: "one" });
    expect((await ada.hears("two")).messageId).toBe(second.messageId + 1);
    await api("sendMessage", { chat_id: 7, text: "two" });
    await expect(ada.hears("two", { once: true })).rejects.toMatchObject({ code: "heard_twice" });
  });

  it("records every call with its parameters and answer", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    await ada.starts();
    await api("sendMessage", { chat_id: 7, text: "hi" });
    await api("sendMessage", { chat_id: 9, text: "hi" });
    await emulator.called("sendMessage", 2);
    const [sent, refused] = await emulator.record({ method: "sendMessage" });
    expect(sent).toMatchObject({ botId: 4242, params: { chat_id: 7, text: "hi" }, isAccepted: true, isDropped: false });
    expect(pick(sent?.answer?.body, "result", "text")).toBe("hi");
    expect(refused?.answer).toMatchObject({ status: 400, body: { description: "Bad Request: chat not found" } });
    expect((await emulator.counts()).sendMessage).toEqual({ accepted: 2, refused: 1, faulted: 0, dropped: 0 });
  });

  it("is the same emulator for a second one who connects", async () => {
    const witness = connectTelegramEmulator(emulator.url);
    const ada = await witness.user({ id: 7, firstName: "Ada" });
    await ada.says("hello");
    expect((await emulator.bot()).pendingUpdates).toBe(1);
    await api("sendMessage", { chat_id: 7, text: "hi" });
    expect(await ada.hears("hi")).toMatchObject({ author: "bot" });
    expect(await witness.record()).toEqual(await emulator.record());
  });

  it("says what a test did wrong", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    await expect(ada.says("")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(ada.edits(99, "x")).rejects.toMatchObject({ code: "unknown_message" });
    await expect(emulator.bot(1)).rejects.toMatchObject({ code: "unknown_bot" });
    await expect(emulator.addBot({ token: "x", username: "x" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(emulator.called("getMe", 1, 0)).rejects.toMatchObject({ code: "not_called" });
  });
});

describe("a connection to nobody", () => {
  it("says that the emulator is not there", async () => {
    const gone = await createTelegramEmulator();
    await gone.close();
    await expect(connectTelegramEmulator(gone.url).counts()).rejects.toMatchObject({ code: "unreachable" });
  });
});
