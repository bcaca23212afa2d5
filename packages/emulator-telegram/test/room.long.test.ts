import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  connectTelegramEmulator,
  createTelegramEmulator,
  type TelegramEmulator,
  type TelegramRoom,
  type TelegramUser,
} from "../src/index.ts";
import { type ApiAnswer, type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

const PLACES = [
  { place: "held in its own process", connect: (emulator: TelegramEmulator) => emulator },
  { place: "over the control client", connect: ({ url }: TelegramEmulator) => connectTelegramEmulator(url) },
];

describe.each(PLACES)("a room of an emulator $place", ({ connect }) => {
  let server: TelegramEmulator;
  let emulator: TelegramEmulator;
  let api: CallApi;
  let ada: TelegramUser;
  let bob: TelegramUser;
  let bot: { readonly id: number };

  beforeEach(async () => {
    server = await createTelegramEmulator();
    emulator = connect(server);
    bot = await emulator.addBot({ ...GROVE, abilities: { can_read_all_group_messages: true } });
    api = createBotClient(emulator.url);
    ada = await emulator.user({ id: 7, firstName: "Ada", username: "ada" });
    bob = await emulator.user({ id: 8, firstName: "Bob" });
  });
  afterEach(() => server.close());

  const open = (kind: TelegramRoom["kind"]): Promise<TelegramRoom> =>
    emulator.createRoom({ kind, title: "Walk", creator: ada, members: [bob], bots: [bot] });

  /** What the bot gets, each update once. */
  let offset = 0;
  const updates = async (): Promise<readonly unknown[]> => {
    const got = list((await api("getUpdates", { offset })).result);
    offset = Number(pick(got.at(-1), "update_id") ?? offset - 1) + 1;
    return got;
  };
  beforeEach(() => {
    offset = 0;
  });

  it("lets every member read what the bot says, and nobody else", async () => {
    const group = await open("supergroup");
    await group.member(bob).says("hello?");
    const hearing = group.member(bob).hears("hello, Bob");
    await api("sendMessage", { chat_id: group.chatId, text: "hello, Bob" });
    expect(await hearing).toMatchObject({ author: "bot", authorId: bot.id });
    await group.member(ada).hears("hello, Bob", { once: true });
    expect(await group.member(ada).transcript()).toBe(await group.member(bob).transcript());
    expect(await group.member(ada).transcript()).toMatch(/Bob: hello\?\n.*Grove: hello, Bob$/);
    const eve = await emulator.user({ id: 9, firstName: "Eve" });
    await expect(group.member(eve).hears("hello, Bob")).rejects.toMatchObject({ code: "unknown_chat" });
    expect((await emulator.rooms(bob)).map(({ chatId }) => chatId)).toEqual([group.chatId]);
    expect(await emulator.rooms(eve)).toEqual([]);
  });

  it("tells the bot that it was added and by whom: to a new group with its creation, to others with who came", async () => {
    await open("group");
    const [, created, ...none] = await updates();
    expect(pick(created, "message", "group_chat_created")).toBe(true);
    expect(none).toEqual([]);
    const hall = await emulator.createRoom({ kind: "supergroup", title: "Hall", creator: ada });
    await hall.adds(bot, ada);
    const [added, came] = await updates();
    expect(pick(added, "my_chat_member", "old_chat_member", "status")).toBe("left");
    expect(pick(added, "my_chat_member", "new_chat_member", "status")).toBe("member");
    expect(pick(added, "my_chat_member", "from", "id")).toBe(7);
    expect(pick(came, "message", "new_chat_members", 0, "username")).toBe("grove_bot");
  });

  it("never hands over that a supergroup was created, except as a replied message", async () => {
    const hall = await open("supergroup");
    expect((await updates()).flatMap((update) => Object.keys(Object(pick(update, "message"))))).not.toContain(
      "supergroup_chat_created",
    );
    await hall.member(bob).says("first!", { replyTo: 1 });
    const [update] = await updates();
    expect(pick(update, "message", "reply_to_message", "supergroup_chat_created")).toBe(true);
  });

  it("gives service messages of who comes and goes, the title and the pin", async () => {
    const group = await open("group");
    const said = await group.member(bob).says("note");
    await updates();
    await group.renames("Long walk", ada);
    await group.pins(said, ada);
    await group.leaves(bob);
    await group.adds(bob, ada);
    const [title, pin, left, came] = (await updates()).map((update) => pick(update, "message"));
    expect(pick(title, "new_chat_title")).toBe("Long walk");
    expect(pick(title, "chat", "title")).toBe("Long walk");
    expect(pick(pin, "pinned_message", "text")).toBe("note");
    expect([pick(left, "left_chat_member", "id"), pick(left, "from", "id")]).toEqual([8, 8]);
    expect([pick(came, "new_chat_members", 0, "id"), pick(came, "from", "id")]).toEqual([8, 7]);
  });

  it("gives edits, replies with quotes, and media without text", async () => {
    const hall = await open("supergroup");
    const id = await hall.member(bob).says("one two");
    await updates();
    await hall.member(bob).edits(id, "one two three");
    await hall.member(ada).says("which?", { replyTo: id, quote: "two" });
    await hall.member(ada).sends({ kind: "photo" }, "look, @bob");
    const [edit, reply, photo] = await updates();
    expect(pick(edit, "edited_message", "text")).toBe("one two three");
    expect(pick(reply, "message", "quote")).toEqual({ text: "two", position: 4, is_manual: true });
    expect(pick(reply, "message", "reply_to_message", "message_id")).toBe(id);
    expect(pick(photo, "message", "text")).toBeUndefined();
    expect(pick(photo, "message", "caption")).toBe("look, @bob");
    expect(pick(photo, "message", "caption_entities", 0, "type")).toBe("mention");
    expect(list(pick(photo, "message", "photo")).length).toBe(2);
  });

  it("T53: shows an anonymous administrator and a channel as Telegram's own accounts with a sender_chat", async () => {
    const hall = await open("supergroup");
    const news = await emulator.createRoom({ kind: "channel", title: "News", creator: ada });
    await hall.promotes(bob, ada, { isAnonymous: true, customTitle: "Boss" });
    await updates();
    await hall.member(bob).says("obey", { as: "anonymous" });
    await hall.member(ada).says("read", { as: news.chatId });
    const [anonymous, channel] = await updates();
    expect(pick(anonymous, "message", "from", "id")).toBe(1087968824);
    expect(pick(anonymous, "message", "from", "username")).toBe("GroupAnonymousBot");
    expect(pick(anonymous, "message", "sender_chat", "id")).toBe(hall.chatId);
    expect(pick(anonymous, "message", "author_signature")).toBe("Boss");
    expect(pick(channel, "message", "from", "id")).toBe(136817688);
    expect(pick(channel, "message", "sender_chat", "title")).toBe("News");
    await expect(hall.member(bob).says("x", { as: news.chatId })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("gives posts of a channel and their edits, and forwards them to the discussion group", async () => {
    const news = await open("channel");
    const hall = await emulator.createRoom({ kind: "supergroup", title: "Hall", creator: ada, bots: [bot] });
    await hall.links(news);
    await updates();
    const id = await news.member(ada).says("a post");
    await news.member(ada).edits(id, "a better post");
    const [post, forward, edit] = await updates();
    expect(pick(post, "channel_post", "from")).toBeUndefined();
    expect(pick(post, "channel_post", "sender_chat", "id")).toBe(news.chatId);
    expect(pick(forward, "message", "is_automatic_forward")).toBe(true);
    expect(pick(forward, "message", "from", "id")).toBe(777000);
    expect(pick(forward, "message", "forward_origin", "message_id")).toBe(id);
    expect(pick(edit, "edited_channel_post", "text")).toBe("a better post");
    const own = await api("sendMessage", { chat_id: news.chatId, text: "by the bot" });
    expect(pick(own.result, "sender_chat", "id")).toBe(news.chatId);
    expect(pick(own.result, "from")).toBeUndefined();
    await news.member(ada).hears("by the bot");
  });

  it("T12: becomes a supergroup with an id of 52 bits, and the old id tells the new one", async () => {
    const group = await open("group");
    await updates();
    const hall = await group.upgrades(ada);
    expect(hall.chatId).toBeLessThan(-(2 ** 31));
    expect(Number.isSafeInteger(hall.chatId)).toBe(true);
    const [to, from] = await updates();
    expect(pick(to, "message", "chat", "id")).toBe(group.chatId);
    expect(pick(to, "message", "migrate_to_chat_id")).toBe(hall.chatId);
    expect(pick(from, "message", "chat", "id")).toBe(hall.chatId);
    expect(pick(from, "message", "migrate_from_chat_id")).toBe(group.chatId);
    expect(await api("sendMessage", { chat_id: group.chatId, text: "x" })).toMatchObject({
      status: 400,
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: hall.chatId },
    });
    expect(await api("sendMessage", { chat_id: hall.chatId, text: "here" })).toMatchObject({ ok: true });
    await hall.member(bob).hears("here");
    expect((await group.history()).migratedTo).toBe(hall.chatId);
  });

  it("T26: gives a reply in a supergroup the thread of its first message, which is no topic", async () => {
    const hall = await open("supergroup");
    const root = await hall.member(bob).says("root");
    const reply = await hall.member(ada).says("re", { replyTo: root });
    await updates();
    await hall.member(bob).says("re re", { replyTo: reply });
    const [update] = await updates();
    expect(pick(update, "message", "message_thread_id")).toBe(root);
    expect(pick(update, "message", "is_topic_message")).toBeUndefined();
    const sent = await api("sendMessage", { chat_id: hall.chatId, text: "x", message_thread_id: root });
    expect(pick(sent.result, "message_thread_id")).toBe(root);
    const group = await open("group");
    const id = await group.member(bob).says("root");
    await group.member(ada).says("re", { replyTo: id });
    expect(pick((await updates()).at(-1), "message", "message_thread_id")).toBeUndefined();
  });

  it("numbers messages by room, so that ids meet again elsewhere", async () => {
    const [one, two] = [await open("supergroup"), await open("supergroup")];
    const ids = [one, two].map(async ({ chatId }) => pickId(await api("sendMessage", { chat_id: chatId, text: "x" })));
    expect(new Set(await Promise.all(ids)).size).toBe(1);
  });

  it("T58: pushes an update of a kind nobody knows", async () => {
    await emulator.pushUpdate({ stopped_message_generation: { chat: { id: 7, type: "private" }, draft_id: 3 } });
    await ada.says("after");
    const [unknown, known] = await updates();
    expect(pick(unknown, "stopped_message_generation", "draft_id")).toBe(3);
    expect(Number(pick(known, "update_id"))).toBe(Number(pick(unknown, "update_id")) + 1);
  });

  it("changes accounts, limits and time", async () => {
    const id = await ada.says("hello");
    await ada.erases(id);
    expect((await ada.history())[0]).toMatchObject({ isDeleted: true });
    await emulator.setLimits({ perChatPerSecond: 1 });
    const send = (): Promise<ApiAnswer> => api("sendMessage", { chat_id: 7, text: "x" });
    expect([(await send()).status, (await send()).status]).toEqual([200, 429]);
    await emulator.setLimits({});
    await emulator.flood({ retryAfterS: 1000 });
    expect(await send()).toMatchObject({ status: 429 });
    await emulator.passTime(1_000_000);
    expect(await send()).toMatchObject({ ok: true });
    await emulator.setBot({ trouble: "misdirected" });
    expect(await send()).toMatchObject({ status: 421 });
    await emulator.setBot({ trouble: "none", abilities: { can_join_groups: false } });
    expect(pick((await api("getMe")).result, "can_join_groups")).toBe(false);
    await expect(open("group")).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("says what a test did wrong", async () => {
    const group = await open("group");
    const eve = await emulator.user({ id: 9, firstName: "Eve" });
    const news = await emulator.createRoom({ kind: "channel", title: "News", creator: ada, members: [bob] });
    await expect(group.member(eve).says("x")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(group.member(bob).edits(1, "x")).rejects.toMatchObject({ code: "unknown_message" });
    await expect(group.member(bob).says("x", { replyTo: 99 })).rejects.toMatchObject({ code: "unknown_message" });
    await expect(group.restricts(bob, ada)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(news.member(bob).says("x")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(group.links(news)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(group.member(bob).sends({ kind: "sticker" }, "x")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(ada.says("x", { replyTo: 99 })).rejects.toMatchObject({ code: "unknown_message" });
    await expect(emulator.pushUpdate({})).rejects.toMatchObject({ code: "invalid_request" });
  });
});
