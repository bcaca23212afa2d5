import { afterEach, beforeEach, expect, it } from "vitest";
import { createTelegramEmulator, type TelegramEmulator } from "../src/index.ts";
import { METHOD_NAMES } from "../src/methods/catalog.ts";
import { listParameters, readBotApiSchema } from "./bot-api-schema.ts";
import { type CallApi, createBotClient, GROVE, list, pick, pickId } from "./bot-client.ts";

const schema = readBotApiSchema();

let emulator: TelegramEmulator;
let api: CallApi;

beforeEach(async () => {
  emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  await emulator.addBot({ token: "77:other", username: "other_bot" });
  api = createBotClient(emulator.url);
  await api("getUpdates", { allowed_updates: ALL_KINDS });
});
afterEach(() => emulator.close());

/** All that the emulator knows; chat_member is off unless it is asked for. */
const ALL_KINDS = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "my_chat_member",
  "chat_member",
  "callback_query",
] as const;

const YES = { text: "Yes", callback_data: "yes" };

/** Every kind of update, and every way a message of people and of the bot can look. */
async function playEverything(): Promise<void> {
  const ada = await emulator.user({ id: 7, firstName: "Ada", username: "ada", languageCode: "en" }, 4242);
  const bob = await emulator.user({ id: 8, firstName: "Bob" }, 4242);
  const bot = await emulator.bot(4242);
  const first = await ada.says("/start https://e.org/ ada@e.org e.org #tag $USD +12025550123 @ada");
  await ada.edits(first, "hello, wörld 😀");
  await ada.says("re", { replyTo: first, quote: "hello" });
  await ada.says("Bob", { entities: [{ type: "text_mention", offset: 0, length: 3, user: { id: 8 } }] });
  for (const kind of ["photo", "voice", "audio", "video", "document", "sticker"] as const) await ada.sends({ kind });
  await ada.sends({ kind: "photo" }, "a /caption");
  await ada.sendsAlbum([{ content: "one" }, { content: "two" }], "both");
  await ada.sends({ kind: "contact", phoneNumber: "+12025550123", firstName: "Bob", userId: 8 });
  await api("sendMessage", { chat_id: 7, text: "sure?", reply_markup: { inline_keyboard: [[YES]] } });
  await ada.presses("Yes", { timeoutMs: 0 });
  await ada.presses("Yes", { timeoutMs: 0, isInaccessible: true });
  await ada.blocks();
  await ada.unblocks();

  const group = await emulator.createRoom({ kind: "group", title: "Walk", creator: ada, members: [bob], bots: [bot] });
  const said = await group.member(bob).says("hi @grove_bot");
  await group.renames("Long walk", ada);
  await group.pins(said, ada);
  await group.removes(bob, ada);
  const hall = await group.upgrades(ada);
  await hall.promotes(bot, ada);
  await hall.adds(bob, ada);
  await hall.restricts(bob, ada);
  await hall.adds(bob, ada);
  await hall.member(bob).says("again", { replyTo: await hall.member(bob).says("one") });
  await hall.promotes(ada, ada, { isAnonymous: true, customTitle: "Boss" });
  await hall.member(ada).says("from nobody", { as: "anonymous" });
  await api("sendMessage", {
    chat_id: hall.chatId,
    text: "in the hall",
    reply_parameters: { message_id: 2, chat_id: 7 },
  });

  const news = await emulator.createRoom({
    kind: "channel",
    title: "News",
    username: "news",
    creator: ada,
    bots: [bot],
  });
  await hall.links(news);
  await news.member(ada).edits(await news.member(ada).says("a post"), "a better post");
  await hall.member(ada).says("as the channel", { as: news.chatId });
  await api("sendMessage", { chat_id: "@news", text: "the bot's post" });
  const forum = await emulator.createRoom({
    kind: "supergroup",
    title: "Forum",
    isForum: true,
    creator: ada,
    bots: [bot],
  });
  const topic = await forum.opensTopic("oaks", ada);
  await forum.member(ada).says("how many, @grove_bot?", { topicId: topic });
  await forum.renamesTopic(topic, "elms", ada);
  await forum.closesTopic(topic, ada);
  await forum.reopensTopic(topic, ada);
  const other = await emulator.bot(77);
  await hall.adds(other, ada);
  await hall.removes(bot, ada);
}

it.skipIf(schema === undefined)(
  "gives updates as the Bot API describes, of every kind it knows (only beside its specification)",
  async () => {
    await playEverything();
    const { result } = await api("getUpdates", { limit: 100 });
    const updates = list(result);
    expect(updates.map((update) => schema?.checkUpdate(update)).filter((fault) => fault !== undefined)).toEqual([]);
    const kinds = new Set(
      updates.flatMap((update) => Object.keys(Object(update)).filter((key) => key !== "update_id")),
    );
    expect([...kinds].toSorted()).toEqual([...ALL_KINDS].toSorted());
  },
);

it.skipIf(schema === undefined)(
  "answers every method as the Bot API describes (only beside its specification)",
  async () => {
    await playEverything();
    const ada = await emulator.user({ id: 7, firstName: "Ada" }, 4242);
    const bot = await emulator.bot(4242);
    await ada.sends({ kind: "document" });
    const [file] = (await ada.history()).flatMap(({ content }) => pick(content, "document", "file_id") ?? []);
    const own = pickId(await api("sendMessage", { chat_id: 7, text: "x" }));
    const ownFile = pickId(await api("sendDocument", { chat_id: 7, document: file }));
    const hall = await emulator.createRoom({
      kind: "supergroup",
      title: "Hall",
      username: "hall",
      creator: ada,
      bots: [bot],
    });
    await hall.restricts(bot, ada, { rights: { can_send_messages: true } });
    const people = { creator: ada, bots: [bot] };
    const forum = await emulator.createRoom({ kind: "supergroup", title: "Forum", isForum: true, ...people });
    await forum.promotes(bot, ada, { rights: { can_manage_topics: true } });
    const inTopic = { chat_id: forum.chatId, message_thread_id: await forum.opensTopic("oaks", ada) };
    const updates = list((await api("getUpdates", { limit: 100 })).result);
    const queryId = updates.map((update) => pick(update, "callback_query", "id")).find((id) => id !== undefined);
    const samples: Readonly<Record<string, object>> = {
      sendMessage: {
        chat_id: hall.chatId,
        text: "<b>x</b>",
        parse_mode: "HTML",
        reply_markup: { inline_keyboard: [[{ text: "b", callback_data: "d" }]] },
      },
      sendMessageDraft: { chat_id: 7, draft_id: 5, text: "*a*", parse_mode: "MarkdownV2" },
      answerCallbackQuery: { callback_query_id: queryId, text: "Yes!", show_alert: true },
      sendPhoto: { chat_id: 7, photo: "https://e.org/a.jpg", caption: "*a*", parse_mode: "MarkdownV2" },
      sendDocument: { chat_id: 7, document: file, caption: "a file" },
      sendMediaGroup: {
        chat_id: 7,
        media: [
          { type: "document", media: file },
          { type: "document", media: "https://e.org/a.pdf", caption: "c" },
        ],
      },
      getFile: { file_id: file },
      editMessageCaption: { chat_id: 7, message_id: ownFile, caption: "y" },
      editMessageText: { chat_id: 7, message_id: own, text: "y" },
      sendChatAction: { chat_id: 7, action: "typing" },
      setMyCommands: { commands: [{ command: "start", description: "Start" }], scope: { type: "all_group_chats" } },
      deleteMessage: { chat_id: 7, message_id: own },
      getChat: { chat_id: "@hall" },
      getChatMember: { chat_id: hall.chatId, user_id: bot.id },
      getChatMemberCount: { chat_id: hall.chatId },
      getChatAdministrators: { chat_id: hall.chatId },
      leaveChat: { chat_id: hall.chatId },
      createForumTopic: { chat_id: forum.chatId, name: "census", icon_color: 0x6fb9f0 },
      editForumTopic: { ...inTopic, name: "elms" },
      closeForumTopic: inTopic,
      reopenForumTopic: inTopic,
      deleteForumTopic: inTopic,
      setWebhook: { url: "https://e.org/hook", secret_token: "s" },
    };
    // These leave nothing for those behind them.
    const last = [
      "reopenForumTopic",
      "deleteForumTopic",
      "deleteMessage",
      "leaveChat",
      "setWebhook",
      "getWebhookInfo",
      "deleteWebhook",
      "logOut",
    ];
    const order = [...METHOD_NAMES.filter((name) => !last.includes(name) && name !== "close"), ...last];
    for (const method of order) expect(await api(method, { ...samples[method] }), method).toMatchObject({ ok: true });
    await emulator.setBot({ botId: 4242, trouble: "none" });
    expect(await api("close")).toMatchObject({ ok: true });
    await api("getMe");
    expect(schema?.checkCalls(await emulator.record())).toEqual([]);
  },
);

it.skipIf(schema === undefined)(
  "describes chats and members of every kind as the Bot API does (only beside its specification)",
  async () => {
    await playEverything();
    const ada = await emulator.user({ id: 7, firstName: "Ada" }, 4242);
    const bot = await emulator.bot(4242);
    for (const kind of ["group", "supergroup", "channel"] as const) {
      const room = await emulator.createRoom({ kind, title: kind, creator: ada, bots: [bot] });
      await api("getChat", { chat_id: room.chatId });
      for (const user of [7, bot.id, 8]) await api("getChatMember", { chat_id: room.chatId, user_id: user });
    }
    await api("getChat", { chat_id: 7 });
    const calls = await emulator.record();
    expect(calls.filter(({ answer }) => answer?.status !== 200)).toEqual([]);
    expect(schema?.checkCalls(calls)).toEqual([]);
  },
);

it.skipIf(schema === undefined)(
  "refuses with envelopes as the Bot API describes (only beside its specification)",
  async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" }, 4242);
    const group = await emulator.createRoom({
      kind: "group",
      title: "Walk",
      creator: ada,
      bots: [await emulator.bot(4242)],
    });
    await group.upgrades(ada);
    await api("sendMessage", { chat_id: group.chatId, text: "x" });
    await emulator.flood({ botId: 4242, retryAfterS: 3 });
    await api("sendMessage", { chat_id: 7, text: "x" });
    const calls = await emulator.record({ method: "sendMessage" });
    expect(calls.map(({ answer }) => answer?.status)).toEqual([400, 429]);
    expect(schema?.checkCalls(calls)).toEqual([]);
  },
);

it.skipIf(schema === undefined)(
  "knows every parameter of its methods, and no other (only beside its specification)",
  async () => {
    for (const method of METHOD_NAMES.filter((name) => name !== "close" && name !== "logOut")) {
      for (const name of listParameters(method)) {
        // Only whether the name is known counts here, so the value may be refused.
        const { description } = await api(method, { [name]: "x" });
        expect(description ?? "", `${method}.${name}`).not.toContain("unknown parameter");
      }
      expect((await api(method, { nothing: "x" })).description, method).toContain('unknown parameter "nothing"');
    }
  },
);

it.skipIf(schema === undefined)("finds what the specification does not allow (only beside its specification)", () => {
  expect(schema?.checkRequest("sendMessage", { chat_id: 7 })).toBe("sendMessage.text: is required");
  expect(schema?.checkRequest("sendMessage", { chat_id: 7, text: "x", colour: 1 })).toContain("sendMessage.colour");
  expect(pick({ fault: schema?.checkUpdate({ update_id: 1, message: { message_id: 1 } }) }, "fault")).toContain("date");
});
