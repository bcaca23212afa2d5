import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  connectTelegramEmulator,
  createTelegramEmulator,
  type TelegramEmulator,
  type TelegramRoom,
  type TelegramUser,
} from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

const PLACES = [
  { place: "held in its own process", connect: (emulator: TelegramEmulator) => emulator },
  { place: "over the control client", connect: ({ url }: TelegramEmulator) => connectTelegramEmulator(url) },
];

describe.each(PLACES)("a forum of an emulator $place", ({ connect }) => {
  let server: TelegramEmulator;
  let api: CallApi;
  let ada: TelegramUser;
  let bob: TelegramUser;
  let bot: { readonly id: number };
  let hall: TelegramRoom;
  let offset = 0;

  beforeEach(async () => {
    server = await createTelegramEmulator();
    const emulator = connect(server);
    bot = await emulator.addBot({ ...GROVE, abilities: { can_read_all_group_messages: true } });
    api = createBotClient(emulator.url);
    ada = await emulator.user({ id: 7, firstName: "Ada" });
    bob = await emulator.user({ id: 8, firstName: "Bob" });
    const people = { creator: ada, members: [bob], bots: [bot] };
    hall = await emulator.createRoom({ kind: "supergroup", title: "Hall", isForum: true, ...people });
    offset = 0;
    await updates();
  });
  afterEach(() => server.close());

  const inHall = (method: string, params: object = {}) => api(method, { chat_id: hall.chatId, ...params });
  const manage = () => hall.promotes(bot, ada, { rights: { can_manage_topics: true } });
  /** What the bot gets, each message once. */
  async function updates(): Promise<readonly unknown[]> {
    const got = list((await api("getUpdates", { offset })).result);
    offset = Number(pick(got.at(-1), "update_id") ?? offset - 1) + 1;
    return got.map((update) => pick(update, "message"));
  }

  it("has topics that people open, name, close and open again, and tells each bot of it (T24)", async () => {
    const topic = await hall.opensTopic("oaks", ada);
    await hall.renamesTopic(topic, "elms", ada);
    await hall.closesTopic(topic, ada);
    await hall.reopensTopic(topic, ada);
    const here = { message_thread_id: topic, is_topic_message: true, chat: { is_forum: true } };
    expect(await updates()).toMatchObject([
      { ...here, message_id: topic, forum_topic_created: { name: "oaks", icon_color: 0x6fb9f0 } },
      { ...here, forum_topic_edited: { name: "elms" } },
      { ...here, forum_topic_closed: {} },
      { ...here, forum_topic_reopened: {} },
    ]);
    expect((await hall.history()).topics).toMatchObject([{ id: topic, name: "elms", isClosed: false }]);
  });

  it("gives what is said in a topic its id, and what is said in General none (T19)", async () => {
    const topic = await hall.opensTopic("oaks", ada);
    await updates();
    const said = await hall.member(bob).says("in the topic", { topicId: topic });
    await hall.member(ada).says("in answer", { replyTo: said });
    await hall.member(bob).says("in General");
    const [first, second, third] = await updates();
    const here = { message_thread_id: topic, is_topic_message: true };
    expect(first).toMatchObject({ ...here, reply_to_message: { message_id: topic } });
    expect(second).toMatchObject({ ...here, reply_to_message: { message_id: said } });
    expect(third).not.toHaveProperty("message_thread_id");
    const sent = await inHall("sendMessage", { text: "x", message_thread_id: topic });
    expect(sent.result).toMatchObject(here);
    const replied = await inHall("sendMessage", { text: "x", reply_parameters: { message_id: said } });
    expect(replied.result).toMatchObject(here);
    expect(pick((await inHall("sendMessage", { text: "x" })).result, "is_topic_message")).toBeUndefined();
    const general = await inHall("sendMessage", { text: "x", message_thread_id: 1 });
    expect(general.description).toBe("Bad Request: message thread not found");
  });

  it("lets a bot with the right open topics and change them", async () => {
    await manage();
    await updates();
    const { result } = await inHall("createForumTopic", { name: "census", icon_color: 0x8eee98 });
    const topic = Number(pick(result, "message_thread_id"));
    expect(result).toEqual({ message_thread_id: topic, name: "census", icon_color: 0x8eee98 });
    const named = { message_thread_id: topic };
    expect(await inHall("editForumTopic", { ...named, name: "✅ census" })).toMatchObject({ ok: true });
    expect(await inHall("closeForumTopic", named)).toMatchObject({ ok: true });
    expect((await hall.history()).topics).toMatchObject([{ id: topic, name: "✅ census", isClosed: true }]);
    // A bot hears of its own deeds, too.
    expect(await updates()).toMatchObject([
      { forum_topic_created: { name: "census" }, from: { id: bot.id } },
      { forum_topic_edited: { name: "✅ census" } },
      { forum_topic_closed: {} },
    ]);
    expect(await inHall("sendMessage", { ...named, text: "still" })).toMatchObject({ ok: true });
    expect(await inHall("reopenForumTopic", named)).toMatchObject({ ok: true });
    expect(await inHall("deleteForumTopic", named)).toMatchObject({ ok: true });
    expect((await hall.history()).topics).toEqual([]);
  });

  // MTProto's table names DOCUMENT_INVALID for a change of a topic, and nothing for its opening: that one is a guess.
  it("gives topics the icons that everybody may use, and no others", async () => {
    await manage();
    const stickers = list((await api("getForumTopicIconStickers")).result);
    const idOf = (emoji: string) =>
      pick(
        stickers.find((one) => pick(one, "emoji") === emoji),
        "custom_emoji_id",
      );
    const look = async () => (await hall.history()).topics.map(({ name, icon }) => [name, icon]);
    const { result } = await inHall("createForumTopic", { name: "census", icon_custom_emoji_id: idOf("⚡️") });
    expect(result).toMatchObject({ icon_custom_emoji_id: idOf("⚡️"), icon_color: 0x6fb9f0 });
    expect(await look()).toEqual([["census", "⚡️"]]);
    const named = { message_thread_id: pick(result, "message_thread_id") };
    await updates();
    for (const icon of ["✅", undefined]) {
      const edit = { ...named, icon_custom_emoji_id: icon === undefined ? "" : idOf(icon) };
      expect(await inHall("editForumTopic", edit)).toMatchObject({ ok: true });
      expect(await look()).toEqual([["census", icon]]);
      expect((await inHall("editForumTopic", edit)).description).toBe("Bad Request: TOPIC_NOT_MODIFIED");
    }
    const edited = [{ icon_custom_emoji_id: idOf("✅") }, { icon_custom_emoji_id: "" }];
    expect(await updates()).toMatchObject(edited.map((forum_topic_edited) => ({ forum_topic_edited })));
    const unknown = { icon_custom_emoji_id: "5368324170671202286" };
    for (const [method, params] of [
      ["editForumTopic", named],
      ["createForumTopic", { name: "x" }],
    ] as const) {
      const { description } = await inHall(method, { ...params, ...unknown });
      expect(description).toBe("Bad Request: DOCUMENT_INVALID");
    }
    expect(await look()).toEqual([["census", undefined]]);
  });

  it("lets nobody delete a topic without the right to delete messages, whoever made it", async () => {
    await hall.promotes(bot, ada, { rights: { can_manage_topics: true, can_delete_messages: false } });
    const { result } = await inHall("createForumTopic", { name: "census" });
    const topic = { message_thread_id: pick(result, "message_thread_id") };
    const { description } = await inHall("deleteForumTopic", topic);
    expect(description).toBe("Bad Request: not enough rights to delete the topic");
    expect((await hall.history()).topics).toHaveLength(1);
  });

  it("says which call changes nothing (T22)", async () => {
    await manage();
    const topic = await hall.opensTopic("oaks", ada);
    for (const [method, params] of [
      ["editForumTopic", { name: "oaks" }],
      ["reopenForumTopic", {}],
    ] as const) {
      const { description } = await inHall(method, { message_thread_id: topic, ...params });
      expect(description).toBe("Bad Request: TOPIC_NOT_MODIFIED");
    }
  });

  it("refuses who has no right, and a chat that is none (T23)", async () => {
    const refused = await inHall("createForumTopic", { name: "census" });
    expect(refused.description).toBe("Bad Request: not enough rights to create a topic");
    const topic = await hall.opensTopic("oaks", ada);
    for (const method of ["editForumTopic", "closeForumTopic", "reopenForumTopic", "deleteForumTopic"])
      expect((await inHall(method, { message_thread_id: topic })).description).toMatch(
        /^Bad Request: not enough rights/,
      );
    const plain = await server.createRoom({ kind: "supergroup", title: "Plain", creator: ada, bots: [bot] });
    const nowhere = await api("createForumTopic", { chat_id: plain.chatId, name: "census" });
    expect(nowhere.description).toBe("Bad Request: the chat is not a forum");
    await expect(plain.opensTopic("oaks", ada)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(hall.closesTopic(topic, bob)).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("takes nothing for a topic that is unknown, closed or deleted (T18, T20, T21)", async () => {
    const topic = await hall.opensTopic("oaks", ada);
    const said = pickId(await inHall("sendMessage", { text: "x", message_thread_id: topic }));
    const send = async (message_thread_id: number) =>
      (await inHall("sendMessage", { text: "x", message_thread_id })).description;
    expect(await send(said)).toBe("Bad Request: message thread not found");
    await hall.closesTopic(topic, ada);
    expect(await send(topic)).toBe("Bad Request: TOPIC_CLOSED");
    await expect(hall.member(bob).says("x", { topicId: topic })).rejects.toMatchObject({ code: "invalid_request" });
    const reply_parameters = { message_id: topic };
    const answered = await inHall("sendMessage", { text: "x", reply_parameters });
    expect(answered.description).toBe("Bad Request: TOPIC_CLOSED");
    await hall.member(ada).says("I may", { topicId: topic });
    await updates();
    await hall.deletesTopic(topic, ada);
    expect(await updates()).toEqual([]);
    expect(await send(topic)).toBe("Bad Request: TOPIC_DELETED");
    const left = (await hall.history()).messages.filter(({ isDeleted, extra }) => !isDeleted && extra !== undefined);
    expect(left).toEqual([]);
  });

  it.for([
    ["no name", { name: " " }, "TOPIC_TITLE_EMPTY"],
    ["a name that is too long", { name: "x".repeat(129) }, "TOPIC_TITLE_EMPTY"],
    ["a colour that no icon has", { name: "x", icon_color: 1 }, "invalid icon color specified"],
  ] as const)("refuses a topic with %s", async ([, params, reason]) => {
    await manage();
    expect((await inHall("createForumTopic", params)).description).toBe(`Bad Request: ${reason}`);
  });
});
