import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  connectTelegramEmulator,
  createTelegramEmulator,
  type TelegramEmulator,
  type TelegramUser,
} from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

const PLACES = [
  { place: "held in its own process", connect: (emulator: TelegramEmulator) => emulator },
  { place: "over the control client", connect: ({ url }: TelegramEmulator) => connectTelegramEmulator(url) },
];

describe.each(PLACES)("private chats with topics (T25) of an emulator $place", ({ connect }) => {
  let server: TelegramEmulator;
  let emulator: Awaited<ReturnType<typeof connect>>;
  let api: CallApi;
  let ada: TelegramUser;
  let offset = 0;

  beforeEach(async () => {
    server = await createTelegramEmulator();
    emulator = await connect(server);
    await emulator.addBot({ ...GROVE, abilities: { has_topics_enabled: true, allows_users_to_create_topics: true } });
    api = createBotClient(emulator.url);
    ada = await emulator.user({ id: 7, firstName: "Ada" });
    await ada.starts();
    offset = 0;
  });
  afterEach(() => server.close());

  const inChat = (method: string, params: object = {}) => api(method, { chat_id: 7, ...params });
  async function updates(): Promise<readonly unknown[]> {
    const got = list((await api("getUpdates", { offset })).result);
    offset = Number(pick(got.at(-1), "update_id") ?? offset - 1) + 1;
    return got.map((update) => pick(update, "message"));
  }

  it("are told by getMe, opened by people, and give what is said there their id", async () => {
    expect((await api("getMe", {})).result).toMatchObject({ has_topics_enabled: true });
    const oaks = await ada.opensTopic("oaks");
    const said = await ada.says("in the topic", { topicId: oaks });
    await ada.says("in answer", { replyTo: said });
    await ada.says("beside it");
    const here = { message_thread_id: oaks, is_topic_message: true };
    const [opened, first, second, third] = await updates();
    expect(opened).toMatchObject({ ...here, message_id: oaks, from: { id: 7 }, forum_topic_created: { name: "oaks" } });
    expect(first).toMatchObject({ ...here, reply_to_message: { message_id: oaks } });
    expect(second).toMatchObject({ ...here, reply_to_message: { message_id: said } });
    expect(third).not.toHaveProperty("message_thread_id");
  });

  it("are opened, named and deleted by the bot, which hears of it, but never closed", async () => {
    const { result } = await inChat("createForumTopic", { name: "census" });
    const topic = { message_thread_id: pick(result, "message_thread_id") };
    expect(await inChat("sendMessage", { ...topic, text: "x" })).toMatchObject({ result: { is_topic_message: true } });
    expect(await inChat("editForumTopic", { ...topic, name: "✅ census" })).toMatchObject({ ok: true });
    expect((await inChat("closeForumTopic", topic)).ok).toBe(false);
    expect((await ada.topics()).map(({ name }) => name)).toEqual(["✅ census"]);
    expect(await updates()).toMatchObject([{ forum_topic_created: { name: "census" } }, { forum_topic_edited: {} }]);
    expect(await inChat("deleteForumTopic", topic)).toMatchObject({ ok: true });
    expect(await ada.topics()).toEqual([]);
    const { description } = await inChat("editForumTopic", { ...topic, name: "late" });
    expect(description).toBe("Bad Request: TOPIC_DELETED");
    expect((await inChat("sendChatAction", { ...topic, action: "typing" })).description).toBe(description);
  });

  it("take what is meant for a topic that is gone or unknown, and put it beside all topics (T18, T21)", async () => {
    const { result } = await inChat("createForumTopic", { name: "census" });
    const topic = { message_thread_id: pick(result, "message_thread_id") };
    await inChat("deleteForumTopic", topic);
    for (const place of [topic, { message_thread_id: 4711 }]) {
      const late = await inChat("sendMessage", { ...place, text: "x" });
      expect(late.ok).toBe(true);
      expect(late.result).not.toHaveProperty("message_thread_id");
    }
  });

  it("are nobody's to open where the bot says so", async () => {
    await emulator.setBot({ abilities: { allows_users_to_create_topics: false } });
    await expect(ada.opensTopic("oaks")).rejects.toMatchObject({ code: "invalid_request" });
    await emulator.setBot({ abilities: { has_topics_enabled: false } });
    const { description } = await inChat("createForumTopic", { name: "census" });
    expect(description).toBe("Bad Request: the chat is not a forum");
  });
});

it("what answers nothing in a topic is not meant for the bot that opened it, in privacy mode", async () => {
  const emulator = await createTelegramEmulator();
  try {
    const bot = await emulator.addBot(GROVE);
    const api = createBotClient(emulator.url);
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    const hall = await emulator.createRoom({
      kind: "supergroup",
      title: "Hall",
      isForum: true,
      creator: ada,
      bots: [bot],
    });
    await hall.promotes(bot, ada, { rights: { can_manage_topics: true } });
    const { result } = await api("createForumTopic", { chat_id: hall.chatId, name: "census" });
    const topicId = Number(pick(result, "message_thread_id"));
    const hello = pickId(await api("sendMessage", { chat_id: hall.chatId, message_thread_id: topicId, text: "hello" }));
    // Administrators hear everything.
    await hall.adds(bot, ada);
    await hall.member(ada).says("between us", { topicId });
    await hall.member(ada).says("for you", { replyTo: hello });
    const texts = list((await api("getUpdates", {})).result).map((update) => pick(pick(update, "message"), "text"));
    expect(texts.filter((text) => text !== undefined)).toEqual(["for you"]);
  } finally {
    await emulator.close();
  }
});
