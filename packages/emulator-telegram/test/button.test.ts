import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createManualClock, createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

let emulator: TelegramEmulator;
let ada: TelegramUser;
let api: CallApi;

beforeEach(async () => {
  emulator = await createTelegramEmulator({ clock: createManualClock() });
  await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  await api("getUpdates", { allowed_updates: ["callback_query"] });
  ada = await emulator.user({ id: 7, firstName: "Ada" }, 4242);
  await ada.starts();
});
afterEach(() => emulator.close());

function say(text: string, keyboard: readonly (readonly object[])[], chatId: number = 7) {
  return api("sendMessage", { chat_id: chatId, text, reply_markup: { inline_keyboard: keyboard } });
}

async function takePress(): Promise<unknown> {
  const updates = list((await api("getUpdates")).result);
  return pick(updates.at(-1), "callback_query");
}

describe("a button", () => {
  it("tells the bot who pressed it and what stands behind it, and shows what the bot answers", async () => {
    const messageId = pickId(await say("sure?", [[{ text: "Yes", callback_data: "yes" }]]));
    const pressing = ada.presses("Yes");
    const press = await awaitPress();
    expect(press).toMatchObject({ from: { id: 7 }, message: { message_id: messageId, text: "sure?" }, data: "yes" });
    await api("answerCallbackQuery", { callback_query_id: pick(press, "id"), text: "Done", show_alert: true });
    expect(await pressing).toEqual({ text: "Done", isAlert: true });
  });

  it("T50: is answered once, in time, and by its own bot", async () => {
    await say("sure?", [[{ text: "Yes", callback_data: "yes" }]]);
    await ada.presses("Yes", { timeoutMs: 0 });
    const first = { callback_query_id: pick(await takePress(), "id") };
    await emulator.addBot({ token: "77:other", username: "other_bot" });
    const answers = [
      await createBotClient(emulator.url, "77:other")("answerCallbackQuery", first),
      await api("answerCallbackQuery", first),
      await api("answerCallbackQuery", first),
    ];
    await ada.presses("Yes", { timeoutMs: 0 });
    await emulator.passTime(30_001);
    answers.push(await api("answerCallbackQuery", { callback_query_id: pick(await takePress(), "id") }));
    expect(answers.map(({ ok }) => ok)).toEqual([false, true, false, false]);
    expect(answers[3]?.description).toBe(
      "Bad Request: query is too old and response timeout expired or query ID is invalid",
    );
  });

  it("T51: of a message out of reach tells where it was, and nothing else", async () => {
    const messageId = pickId(await say("sure?", [[{ text: "Yes", callback_data: "yes" }]]));
    await ada.presses("Yes", { timeoutMs: 0, isInaccessible: true });
    const chat = { id: 7, type: "private", first_name: "Ada" };
    expect(pick(await takePress(), "message")).toEqual({ chat, message_id: messageId, date: 0 });
  });

  it("may be sent with other data than it has, as a changed app does", async () => {
    await say("sure?", [[{ text: "Yes", callback_data: "yes" }]]);
    await ada.presses("Yes", { timeoutMs: 0, data: "forged" });
    expect(pick(await takePress(), "data")).toBe("forged");
  });

  it("is pressed in a group by who is in it", async () => {
    const bob = await emulator.user({ id: 8, firstName: "Bob" }, 4242);
    const bots = [await emulator.bot(4242)];
    const group = await emulator.createRoom({ kind: "group", title: "Hall", creator: ada, bots });
    await say("sure?", [[{ text: "Yes", callback_data: "yes" }]], group.chatId);
    await group.member(ada).presses("Yes", { timeoutMs: 0 });
    expect(await takePress()).toMatchObject({ from: { id: 7 }, message: { chat: { id: group.chatId } } });
    await expect(group.member(bob).presses("Yes")).rejects.toMatchObject({ code: "unknown_user" });
  });

  it("goes with an edit that does not repeat it", async () => {
    const messageId = pickId(await say("sure?", [[{ text: "Yes", callback_data: "yes" }]]));
    await api("editMessageText", { chat_id: 7, message_id: messageId, text: "yes!" });
    await expect(ada.presses("Yes")).rejects.toMatchObject({ code: "unknown_message" });
  });
});

it("T5, T6: buttons with too much behind them, and too many buttons, are refused", async () => {
  const long = await say("x", [[{ text: "a", callback_data: "ä".repeat(33) }]]);
  const many = await say("x", [Array.from({ length: 101 }, () => ({ text: "a", callback_data: "b" }))]);
  expect([long.description, many.description]).toEqual([
    "Bad Request: BUTTON_DATA_INVALID",
    "Bad Request: reply markup is too long",
  ]);
});

/** The press as the bot gets it, as soon as it is there. */
async function awaitPress(): Promise<unknown> {
  return pick(list((await api("getUpdates", { timeout: 5 })).result).at(-1), "callback_query");
}
