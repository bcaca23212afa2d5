import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTelegramEmulator, type TelegramEmulator, type TelegramRoom, type TelegramUser } from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

let emulator: TelegramEmulator;
let api: CallApi;
let ada: TelegramUser;
let hall: TelegramRoom;
const OTHER = { token: "77:other", username: "other_bot", firstName: "Other" };
const grove = { id: 4242 };
const other = { id: 77, firstName: "Other" };

beforeEach(async () => {
  emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  await emulator.addBot(OTHER);
  api = createBotClient(emulator.url);
  ada = await emulator.user({ id: 7, firstName: "Ada" }, 4242);
  hall = await emulator.createRoom({ kind: "supergroup", title: "Hall", creator: ada, bots: [grove, other] });
  await api("deleteWebhook", { drop_pending_updates: true });
});
afterEach(() => emulator.close());

const texts = async (): Promise<unknown[]> =>
  list((await api("getUpdates")).result).map((update) => pick(update, "message", "text"));

describe("T43: privacy mode", () => {
  it.each([
    ["plain talk", "hello all", false],
    ["a mention of the bot", "hello @Grove_Bot", true],
    ["a mention of somebody else", "hello @other_bot", false],
    ["a longer name that begins like the bot's", "hello @grove_bottle", false],
    ["a command to the bot", "/help@grove_bot", true],
    ["a command to another bot", "/help@other_bot", false],
    ["a bare command where no bot has written", "/help", true],
  ])("%s", async (_, text, arrives) => {
    await hall.member(ada).says(text);
    expect(await texts()).toEqual(arrives ? [text] : []);
  });

  it("gives bare commands to the bot that wrote last only", async () => {
    await createBotClient(emulator.url, OTHER.token)("sendMessage", { chat_id: hall.chatId, text: "I am other" });
    await hall.member(ada).says("/one");
    await api("sendMessage", { chat_id: hall.chatId, text: "I am grove" });
    await hall.member(ada).says("/two");
    expect(await texts()).toEqual(["/two"]);
  });

  it("lets replies to the bot through, and mentions without a name", async () => {
    const replyTo = pickId(await api("sendMessage", { chat_id: hall.chatId, text: "yes?" }));
    const plain = await hall.member(ada).says("not for you");
    await hall.member(ada).says("for you", { replyTo });
    await hall.member(ada).says("nor this", { replyTo: plain });
    const entities = [{ type: "text_mention", offset: 0, length: 5, user: { id: 4242 } }] as const;
    await hall.member(ada).says("Grove!", { entities });
    expect(await texts()).toEqual(["for you", "Grove!"]);
  });

  it("is switched off in BotFather or by making the bot an administrator, and getMe tells the former", async () => {
    expect(pick((await api("getMe")).result, "can_read_all_group_messages")).toBe(false);
    await hall.member(ada).says("zero");
    await emulator.setBot({ botId: 4242, abilities: { can_read_all_group_messages: true } });
    expect(pick((await api("getMe")).result, "can_read_all_group_messages")).toBe(true);
    await hall.member(ada).says("one");
    await emulator.setBot({ botId: 4242, abilities: { can_read_all_group_messages: false } });
    await hall.promotes(grove, ada);
    await hall.member(ada).says("two");
    expect((await texts()).filter((text) => text !== undefined)).toEqual(["one", "two"]);
  });

  it("keeps no service message back", async () => {
    await hall.renames("Great hall", ada);
    expect(pick((await api("getUpdates")).result, 0, "message", "new_chat_title")).toBe("Great hall");
  });
});

describe("T54: other bots", () => {
  it("are not heard, not by an administrator either, until that is switched on", async () => {
    await hall.promotes(grove, ada);
    await createBotClient(emulator.url, OTHER.token)("sendMessage", { chat_id: hall.chatId, text: "@grove_bot one" });
    await hall.member(other).says("@grove_bot two");
    await emulator.setBot({ botId: 4242, hearsOtherBots: true });
    await hall.member(other).says("@grove_bot three");
    const { result } = await api("getUpdates");
    expect(list(result).flatMap((update) => pick(update, "message", "text") ?? [])).toEqual(["@grove_bot three"]);
    expect(pick(list(result).at(-1), "message", "from", "is_bot")).toBe(true);
  });

  it("never get their own messages back", async () => {
    await emulator.setBot({ botId: 4242, hearsOtherBots: true, abilities: { can_read_all_group_messages: true } });
    await api("sendMessage", { chat_id: hall.chatId, text: "@grove_bot I" });
    expect(await texts()).toEqual([]);
  });
});
