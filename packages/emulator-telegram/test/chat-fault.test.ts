/** How each fault of a chat comes about by what people do, and its exact words. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTelegramEmulator, type TelegramEmulator, type TelegramRoom, type TelegramUser } from "../src/index.ts";
import { type ApiAnswer, type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

let emulator: TelegramEmulator;
let api: CallApi;
let ada: TelegramUser;
let bot: { readonly id: number };

beforeEach(async () => {
  emulator = await createTelegramEmulator();
  bot = await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  ada = await emulator.user({ id: 7, firstName: "Ada" });
  await ada.starts();
});
afterEach(() => emulator.close());

const open = (kind: TelegramRoom["kind"]): Promise<TelegramRoom> =>
  emulator.createRoom({ kind, title: "Walk", creator: ada, bots: [bot] });
const send = (chatId: number, more: object = {}): Promise<ApiAnswer> =>
  api("sendMessage", { chat_id: chatId, text: "hi", ...more });
const KINDS = ["group", "supergroup", "channel"] as const;

describe.each(KINDS)("in a %s", (kind) => {
  const button = { text: "b", callback_data: "d" };
  it.each([
    ["T1", { text: "x".repeat(4097) }, "message is too long"],
    ["T2", { text: " " }, "message text is empty"],
    [
      "T4",
      { text: "1.5", parse_mode: "MarkdownV2" },
      "can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
    ],
    [
      "T5",
      { reply_markup: { inline_keyboard: [[{ text: "b", callback_data: "x".repeat(65) }]] } },
      "BUTTON_DATA_INVALID",
    ],
    [
      "T6",
      { reply_markup: { inline_keyboard: Array.from({ length: 101 }, () => [button]) } },
      "reply markup is too long",
    ],
    ["T9", { reply_parameters: { message_id: 99 } }, "message to be replied not found"],
    ["T18", { message_thread_id: 99 }, "message thread not found"],
  ])("%s: %j", async (_, params, reason) => {
    const room = await open(kind);
    expect(await send(room.chatId, params)).toMatchObject({ status: 400, description: `Bad Request: ${reason}` });
    expect(await room.member(ada).messages()).toEqual([]);
  });

  it("T7, T8: an edit of the same, of what is gone, and of what somebody else wrote", async () => {
    const room = await open(kind);
    const id = pickId(await send(room.chatId));
    const edit = async (messageId: number, text: string): Promise<string | undefined> =>
      (await api("editMessageText", { chat_id: room.chatId, message_id: messageId, text })).description;
    expect(await edit(id, "hi")).toMatch(/^Bad Request: message is not modified: specified new message content/);
    expect(await edit(id, "ho")).toBeUndefined();
    await room.member(ada).hears("ho");
    expect(await edit(await room.member(ada).says("mine"), "x")).toBe("Bad Request: message can't be edited");
    await room.erases(id);
    expect(await edit(id, "hu")).toBe("Bad Request: message to edit not found");
  });

  it("T9: a reply whose target was deleted goes out without it where the bot allows that", async () => {
    const room = await open(kind);
    const target = await room.member(ada).says("gone soon");
    await room.erases(target);
    const reply = { message_id: target, allow_sending_without_reply: true };
    const sent = await send(room.chatId, { reply_parameters: reply });
    expect(sent).toMatchObject({ ok: true });
    expect(pick(sent.result, "reply_to_message")).toBeUndefined();
  });

  it("T16: the bot was removed, or left by itself, and my_chat_member says so", async () => {
    const room = await open(kind);
    await room.removes(bot, ada);
    const kicked = { status: 403, description: `Forbidden: bot was kicked from the ${kind} chat` };
    expect(await send(room.chatId)).toMatchObject(kicked);
    expect(await api("sendChatAction", { chat_id: room.chatId, action: "typing" })).toMatchObject(kicked);
    const other = await open(kind);
    expect(await api("leaveChat", { chat_id: other.chatId })).toMatchObject({ ok: true });
    const left = { status: 403, description: `Forbidden: bot is not a member of the ${kind} chat` };
    expect(await send(other.chatId)).toMatchObject(left);
    const { result } = await api("getUpdates");
    const states = list(result).map((update) => pick(update, "my_chat_member", "new_chat_member", "status"));
    const added = kind === "channel" ? "administrator" : "member";
    expect(states.filter((state) => state !== undefined)).toEqual([added, "kicked", added, "left"]);
  });

  it("T11: a room it never was in is not found", async () => {
    const room = await emulator.createRoom({ kind, title: "Secret", creator: ada });
    expect(await send(room.chatId)).toMatchObject({ status: 400, description: "Bad Request: chat not found" });
  });

  it("T16: a room that was deleted", async () => {
    const room = await open(kind);
    await room.dissolves();
    expect(await send(room.chatId)).toMatchObject({ description: "Forbidden: the group chat was deleted" });
  });
});

it("T3: a caption holds 1024 units, and a photo without one has no text to edit", async () => {
  const photo = { chat_id: 7, photo: "https://e.org/a.jpg" };
  for (const length of [1025, 5000]) {
    const long = await api("sendPhoto", { ...photo, caption: "x".repeat(length) });
    expect(long).toMatchObject({ status: 400, description: "Bad Request: message caption is too long" });
  }
  const sent = await api("sendPhoto", { ...photo, caption: "<b>look</b>", parse_mode: "HTML" });
  expect(pick(sent.result, "caption_entities", 0)).toEqual({ type: "bold", offset: 0, length: 4 });
  await ada.hears("look");
  const edit = await api("editMessageText", { chat_id: 7, message_id: pickId(sent), text: "x" });
  expect(edit.description).toBe("Bad Request: there is no text in the message to edit");
  expect((await api("sendPhoto", { chat_id: 7 })).description).toBe("Bad Request: there is no photo in the request");
  expect(await ada.transcript()).toContain("bot: [photo] look");
});

it("T17: a restricted bot may not write until it is let again, and my_chat_member tells both", async () => {
  const hall = await open("supergroup");
  await hall.restricts(bot, ada);
  const refused = { status: 400, description: "Bad Request: not enough rights to send text messages to the chat" };
  expect(await send(hall.chatId)).toMatchObject(refused);
  await hall.restricts(bot, ada, { rights: { can_send_messages: true } });
  expect(await send(hall.chatId)).toMatchObject({ ok: true });
  const { result } = await api("getUpdates");
  const rights = list(result).map((update) => pick(update, "my_chat_member", "new_chat_member", "can_send_messages"));
  expect(rights.filter((right) => right !== undefined)).toEqual([false, true]);
});

it("T17: an administrator of a channel without the right to post", async () => {
  const news = await open("channel");
  await news.promotes(bot, ada, { rights: { can_post_messages: false } });
  expect((await send(news.chatId)).description).toBe("Bad Request: need administrator rights in the channel chat");
});

it("T13, T14, T15: blocked, deleted, and never started", async () => {
  const eve = await emulator.user({ id: 9, firstName: "Eve" });
  await open("group").then((group) => group.adds(eve, ada));
  expect((await send(9)).description).toBe("Forbidden: bot can't initiate conversation with a user");
  await eve.starts();
  expect(await send(9)).toMatchObject({ ok: true });
  await eve.blocks();
  expect((await send(9)).description).toBe("Forbidden: bot was blocked by the user");
  await eve.unblocks();
  await eve.deactivates();
  expect((await send(9)).description).toBe("Forbidden: user is deactivated");
});

it("T8, T9: a private message that the user deleted", async () => {
  const [own, hers] = [pickId(await send(7)), await ada.says("x")];
  for (const id of [own, hers]) await ada.erases(id);
  const edit = await api("editMessageText", { chat_id: 7, message_id: own, text: "y" });
  expect(edit.description).toBe("Bad Request: message to edit not found");
  const reply = await send(7, { reply_parameters: { message_id: hers } });
  expect(reply.description).toBe("Bad Request: message to be replied not found");
  await expect(ada.erases(own)).rejects.toMatchObject({ code: "unknown_message" });
});

it("T44: a chat action is taken in every kind of chat, and refused where the bot may not write", async () => {
  for (const kind of KINDS) {
    const room = await open(kind);
    expect(await api("sendChatAction", { chat_id: room.chatId, action: "typing" })).toMatchObject({ result: true });
  }
});

it("T52: an edit is an update of its own kind and no new message", async () => {
  const hall = await open("supergroup");
  await hall.promotes(bot, ada);
  await hall.member(ada).edits(await hall.member(ada).says("helo"), "hello");
  const { result } = await api("getUpdates");
  const [message, edit] = list(result).slice(-2);
  expect(pick(edit, "edited_message", "message_id")).toBe(pick(message, "message", "message_id"));
  expect(pick(edit, "edited_message", "edit_date")).toBeTypeOf("number");
});

it("knows who is in a room", async () => {
  const hall = await open("supergroup");
  const eve = await emulator.user({ id: 9, firstName: "Eve" });
  const status = async (userId: number): Promise<unknown> =>
    pick((await api("getChatMember", { chat_id: hall.chatId, user_id: userId })).result, "status");
  expect([await status(7), await status(bot.id), await status(9)]).toEqual(["creator", "member", "left"]);
  await hall.adds(eve, ada);
  await hall.promotes(eve, ada);
  expect(await status(9)).toBe("administrator");
  expect((await api("getChatMemberCount", { chat_id: hall.chatId })).result).toBe(3);
  const { result } = await api("getChatAdministrators", { chat_id: hall.chatId });
  expect(list(result).map((member) => pick(member, "user", "id"))).toEqual([7, 9]);
  expect((await api("getChatMember", { chat_id: hall.chatId, user_id: 99 })).status).toBe(400);
});

it("lets a bot delete what others wrote only as an administrator", async () => {
  const hall = await open("supergroup");
  const id = await hall.member(ada).says("rude");
  const remove = (): Promise<ApiAnswer> => api("deleteMessage", { chat_id: hall.chatId, message_id: id });
  expect((await remove()).description).toBe("Bad Request: message can't be deleted");
  await hall.promotes(bot, ada);
  expect(await remove()).toMatchObject({ result: true });
});
