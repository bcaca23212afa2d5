import {
  type BotState,
  createTelegramEmulator,
  type TelegramEmulator,
  type TelegramRoom,
  type TelegramUser,
} from "@banyan/emulator-telegram";
import { type ChannelConnection, formatAddress } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildOutbound, TestAccount, TOKEN } from "../test-account.ts";

let telegram: TelegramEmulator;
let bot: BotState;
let ada: TelegramUser;
let bob: TelegramUser;
let account: TestAccount;
let connection: ChannelConnection;

beforeEach(async () => {
  telegram = await createTelegramEmulator();
  bot = await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  ada = await telegram.user({ id: 42, firstName: "Ada" });
  bob = await telegram.user({ id: 43, firstName: "Bob" });
  account = new TestAccount(telegram);
  connection = await account.connect();
});

afterEach(async () => {
  await account.close();
  await telegram.close();
});

function createHall(kind: "group" | "supergroup" | "channel" = "supergroup"): Promise<TelegramRoom> {
  return telegram.createRoom({ kind, title: "Hall", creator: ada, members: [bob], bots: [bot] });
}

function buildAddress(room: TelegramRoom) {
  const kind = room.kind === "channel" ? "channel" : "group";
  return formatAddress({ channel: "telegram", account: "default", kind, chat: String(room.chatId) });
}

function sendTo(room: TelegramRoom, text: string, replyTo?: number) {
  const part = { address: buildAddress(room), ...(replyTo !== undefined && { replyTo: String(replyTo) }) };
  return connection.send(buildOutbound(42, text, part));
}

describe("in a group", () => {
  test("T43: privacy mode lets through what is meant for the bot, and each word of it is understood", async () => {
    const hall = await createHall();
    await hall.member(bob).says("just between us");
    const asked = await hall.member(ada).says("@grove_bot how many?");
    await account.receives(1);
    const { platformId } = await sendTo(hall, "three", asked);
    await hall.member(ada).hears("three");
    await hall.member(bob).says("sure?", { replyTo: Number(platformId) });
    await hall.member(bob).says("/status@grove_bot");
    expect(await account.receives(3)).toEqual(["how many?", "sure?", "/status"]);
    expect(account.received).toMatchObject([
      { sender: { id: "42", displayName: "Ada" }, addressed: true, address: buildAddress(hall) },
      {
        sender: { id: "43" },
        addressed: true,
        quote: { messageId: platformId, senderId: String(bot.id), text: "three" },
      },
      { sender: { id: "43" }, addressed: true },
    ]);
    expect(account.logged[0]).toMatchObject({
      level: "info",
      message: expect.stringMatching(
        /privacy mode is on: in groups it gets only commands, mentions and replies to it$/,
      ),
    });
  });

  test("T43: a bot that is to answer all of a group and does not hear it is warned about with the cure", async () => {
    const open = new TestAccount(telegram, { needsAllMessages: true });
    await account.close();
    await open.connect();
    expect(open.logged[0]).toMatchObject({
      level: "warn",
      message: expect.stringMatching(
        /requireMention is false; switch privacy off at @BotFather \(\/setprivacy\) and add/,
      ),
    });
    await open.close();
  });

  test("T43: without privacy mode everything is heard, and what is not for the bot is told apart", async () => {
    await telegram.setBot({ abilities: { can_read_all_group_messages: true } });
    const open = new TestAccount(telegram, { needsAllMessages: true });
    await account.close();
    await open.connect();
    const hall = await createHall();
    await hall.member(bob).says("just between us");
    await hall.member(bob).says("and @grove_bot");
    await open.receives(2);
    expect(open.received).toMatchObject([
      { text: "just between us", addressed: false },
      { text: "and @grove_bot", addressed: true },
    ]);
    expect(open.logged[0]).toMatchObject({ level: "info", message: expect.stringContaining("privacy mode is off") });
    await open.close();
  });

  test("T53: an anonymous administrator speaks as the group, a channel as itself", async () => {
    const hall = await createHall();
    const news = await telegram.createRoom({ kind: "channel", title: "News", creator: ada });
    await hall.promotes(ada, ada, { isAnonymous: true }).catch(() => undefined);
    await hall.member(ada).says("@grove_bot one", { as: "anonymous" });
    await hall.member(ada).says("@grove_bot two", { as: news.chatId });
    await account.receives(2);
    expect(account.received.map(({ sender }) => sender)).toEqual([
      { id: String(hall.chatId), displayName: "Hall" },
      { id: String(news.chatId), displayName: "News" },
    ]);
  });

  test("T12: an upgrade is told, with nothing lost on either side, and a send to the old id names the new one", async () => {
    const group = await createHall("group");
    await group.member(ada).says("@grove_bot before");
    const hall = await group.upgrades(ada);
    await hall.member(ada).says("@grove_bot after");
    expect(await account.receives(2)).toEqual(["before", "after"]);
    const move = { from: buildAddress(group), to: buildAddress(hall) };
    expect(account.moves).toEqual([move, move]);
    expect(account.received.map(({ address }) => address)).toEqual([move.from, move.to]);
    await expect(sendTo(group, "late")).rejects.toMatchObject({ class: "migrated", migratedTo: move.to });
  });

  test("T16: a bot that was removed is told so, and told what to do", async () => {
    const hall = await createHall();
    await hall.removes(bot, ada);
    await account.says(/was removed from the group "Hall"/);
    await expect(sendTo(hall, "hello?")).rejects.toMatchObject({
      class: "chat_gone",
      message: expect.stringMatching(/kicked.*add the bot to the chat again$/),
    });
  });

  test("T17: a bot that may not write is told so, and hears when it may again", async () => {
    const hall = await createHall();
    await hall.restricts(bot, ada);
    await account.says(/was restricted in the group "Hall"/);
    await expect(sendTo(hall, "hello?")).rejects.toMatchObject({
      class: "chat_gone",
      message: expect.stringMatching(/give the bot the right to send messages$/),
    });
    await hall.adds(bot, ada);
    await account.says(/may write in the group "Hall"/);
    await sendTo(hall, "hello again");
    await hall.member(bob).hears("hello again");
  });

  test("people who come, go, pin and rename are no messages", async () => {
    const hall = await createHall();
    const id = await hall.member(ada).says("@grove_bot one");
    await hall.leaves(bob);
    await hall.joins(bob);
    await hall.renames("Den", ada);
    await hall.pins(id, ada);
    await hall.member(bob).says("@grove_bot two");
    expect(await account.receives(2)).toEqual(["one", "two"]);
  });
});

describe("in a channel", () => {
  test("posts are heard as the channel's, and answered there", async () => {
    const news = await createHall("channel");
    const posted = await news.member(ada).says("what is new?");
    await news.member(ada).edits(posted, "what is new today?");
    expect(await account.receives(2)).toEqual(["what is new?", "what is new today?"]);
    expect(account.received).toMatchObject([
      { address: buildAddress(news), sender: { id: String(news.chatId), displayName: "Hall" }, addressed: false },
      { id: String(posted), editedAt: expect.any(Number) },
    ]);
    await sendTo(news, "nothing");
    await news.member(bob).hears("nothing");
  });
});

test("files and stickers in private are heard, not passed over", async () => {
  await ada.sends({ kind: "photo" }, "look");
  await ada.sends({ kind: "voice" });
  await ada.sends({ kind: "contact", phoneNumber: "+491", firstName: "Bob" });
  await account.receives(3);
  expect(account.received).toMatchObject([
    { text: "look", attachments: [{ name: "photo.jpg" }] },
    { text: "", attachments: [{ name: "voice.ogg" }] },
    { text: expect.stringMatching(/^\(a contact: /) },
  ]);
});
