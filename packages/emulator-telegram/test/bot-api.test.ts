import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTelegramEmulator, type TelegramEmulator } from "../src/index.ts";
import { type CallApi, createBotClient, GROVE, pick, pickId, readAnswer, TOKEN } from "./bot-client.ts";

let emulator: TelegramEmulator;
let api: CallApi;

beforeEach(async () => {
  emulator = await createTelegramEmulator();
  await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  await (await emulator.user({ id: 7, firstName: "Ada", username: "ada" })).starts();
  await emulator.user({ id: 8, firstName: "Bob" });
});
afterEach(() => emulator.close());

const get = async (path: string): Promise<{ status: number; description: string | undefined }> => {
  const { status, description } = await readAnswer(await fetch(emulator.url + path));
  return { status, description };
};

describe("the way in", () => {
  it.each([
    ["/bot1:unknown/getMe", 401, "Unauthorized"],
    ["/botx/getMe", 404, "Not Found"],
    ["/elsewhere", 404, "Not Found"],
    [`/bot${TOKEN}/getNothing`, 404, "Not Found: method not found"],
    [`/bot${TOKEN}/getMe?colour=red`, 400, 'Bad Request: emulator: unknown parameter "colour"'],
  ])("answers %s with %i %s", async (path, status, description) => {
    expect(await get(path)).toEqual({ status, description });
  });

  it("takes parameters as JSON, urlencoded and in the query, and methods in any case", async () => {
    const url = `${emulator.url}/bot${TOKEN}/SENDMESSAGE`;
    const entities = [{ type: "bold", offset: 0, length: 2 }];
    const pairs = new URLSearchParams({ chat_id: "7", text: "hi", entities: JSON.stringify(entities) });
    const answers = [
      await readAnswer(await fetch(`${url}?${pairs}`)),
      await readAnswer(await fetch(url, { method: "POST", body: pairs })),
      await readAnswer(await fetch(`${url}?chat_id=7`, { method: "POST", body: new URLSearchParams({ text: "hi" }) })),
      await api("sendMessage", { chat_id: "7", text: "hi", entities }),
    ];
    expect(answers.map(({ result }) => pick(result, "text"))).toEqual(["hi", "hi", "hi", "hi"]);
    expect(answers.map(({ result }) => pick(result, "entities"))).toEqual([entities, entities, undefined, entities]);
  });

  it("answers a revoked token with 401", async () => {
    await emulator.revokeBot();
    expect(await api("getMe")).toMatchObject({ status: 401, description: "Unauthorized" });
  });

  it("keeps several bots apart", async () => {
    await emulator.addBot({ token: "77:other", username: "other_bot" });
    const other = createBotClient(emulator.url, "77:other");
    expect(pick((await other("getMe")).result, "username")).toBe("other_bot");
    expect(await other("sendMessage", { chat_id: 7, text: "hi" })).toMatchObject({ status: 403 });
    const ada = await emulator.user({ id: 7, firstName: "Ada" }, 77);
    await ada.says("hello, other");
    expect(await emulator.bot(77)).toMatchObject({ pendingUpdates: 1 });
    expect(await emulator.bot(4242)).toMatchObject({ pendingUpdates: 0 });
  });

  it("refuses a body over 4 MiB and one of an unknown type", async () => {
    expect(await api("sendMessage", { chat_id: 7, text: "x".repeat(5 * 1024 * 1024) })).toMatchObject({ status: 413 });
    const headers = { "content-type": "text/plain" };
    const answer = await fetch(`${emulator.url}/bot${TOKEN}/getMe`, { method: "POST", headers, body: "hi" });
    expect(answer.status).toBe(400);
  });
});

describe("sendMessage refuses", () => {
  const cases: [string, Record<string, unknown>, number, string][] = [
    ["no text", {}, 400, "Bad Request: message text is empty"],
    ["blank text", { text: " \n " }, 400, "Bad Request: message text is empty"],
    ["4097 units", { text: "x".repeat(4097) }, 400, "Bad Request: message is too long"],
    ["a text that is no text", { text: 5 }, 400, 'Bad Request: parameter "text" must be a string'],
    ["half a surrogate pair", { text: "\ud83d" }, 400, "Bad Request: strings must be encoded in UTF-8"],
    ["an unknown chat", { text: "x", chat_id: 99 }, 400, "Bad Request: chat not found"],
    ["no chat", { text: "x", chat_id: undefined }, 400, "Bad Request: chat_id is empty"],
    ["a username of a person", { text: "x", chat_id: "@ada" }, 400, "Bad Request: chat not found"],
    [
      "a user who never wrote",
      { text: "x", chat_id: 8 },
      403,
      "Forbidden: bot can't initiate conversation with a user",
    ],
    ["a strange parse mode", { text: "x", parse_mode: "RTF" }, 400, "Bad Request: unsupported parse_mode"],
    [
      "a reply to nothing",
      { text: "x", reply_parameters: { message_id: 99 } },
      400,
      "Bad Request: message to be replied not found",
    ],
    ["a topic of a private chat", { text: "x", message_thread_id: 5 }, 400, "Bad Request: message thread not found"],
    [
      "button data over 64 bytes",
      { text: "x", reply_markup: { inline_keyboard: [[{ text: "b", callback_data: "é".repeat(33) }]] } },
      400,
      "Bad Request: BUTTON_DATA_INVALID",
    ],
    [
      "an entity behind the end",
      { text: "ab", entities: [{ type: "bold", offset: 1, length: 2 }] },
      400,
      "Bad Request: entity beginning at UTF-16 offset 1 ends after the end of the text at UTF-16 offset 3",
    ],
    [
      "an entity that splits a pair",
      { text: "😀", entities: [{ type: "bold", offset: 1, length: 1 }] },
      400,
      "Bad Request: entity begins in a middle of a UTF-16 symbol at byte offset 4",
    ],
    [
      "bad markup",
      { text: "<b>x", parse_mode: "HTML" },
      400,
      "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"",
    ],
    [
      "what the emulator lacks",
      { text: "x", business_connection_id: "b" },
      400,
      'Bad Request: emulator: parameter "business_connection_id" is not emulated yet',
    ],
    ["null", { text: "x", entities: null }, 400, 'Bad Request: emulator: parameter "entities" is null; leave it out'],
  ];

  it.each(cases)("%s", async (_, params, status, description) => {
    expect(await api("sendMessage", { chat_id: 7, ...params })).toMatchObject({ status, description });
    expect((await emulator.chats()).flatMap(({ messages }) => messages)).toEqual([]);
  });

  it("a user who waits for the bot but never wrote to it", async () => {
    const bob = await emulator.user({ id: 8, firstName: "Bob" });
    await expect(bob.hears("hi", { timeoutMs: 0 })).rejects.toMatchObject({ code: "not_heard" });
    expect(await api("sendMessage", { chat_id: 8, text: "hi" })).toMatchObject({ status: 403 });
    await bob.starts();
    expect(await api("sendMessage", { chat_id: 8, text: "hi" })).toMatchObject({ ok: true });
  });

  it("a user who blocked the bot, until the user writes again, and one who is gone", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    await ada.blocks();
    const blocked = await api("sendMessage", { chat_id: 7, text: "hi" });
    expect(blocked).toMatchObject({ status: 403, description: "Forbidden: bot was blocked by the user" });
    await ada.says("back");
    expect(await api("sendMessage", { chat_id: 7, text: "hi" })).toMatchObject({ ok: true });
    const { result } = await api("getUpdates");
    expect(pick(result, 0, "my_chat_member", "new_chat_member", "status")).toBe("kicked");
    expect(pick(result, 1, "my_chat_member", "new_chat_member", "status")).toBe("member");
    await ada.deactivates();
    const gone = await api("sendMessage", { chat_id: 7, text: "hi" });
    expect(gone).toMatchObject({ status: 403, description: "Forbidden: user is deactivated" });
  });
});

describe("sendMessage accepts", () => {
  it("4096 units after entities", async () => {
    const answer = await api("sendMessage", { chat_id: 7, text: `<b>${"x".repeat(4096)}</b>`, parse_mode: "HTML" });
    expect(pick(answer.result, "entities")).toEqual([{ type: "bold", offset: 0, length: 4096 }]);
  });

  it("a reply, with its target in the answer, and one whose target is gone where the bot allows it", async () => {
    const first = pickId(await api("sendMessage", { chat_id: 7, text: "first" }));
    const reply = await api("sendMessage", { chat_id: 7, text: "re", reply_parameters: { message_id: first } });
    expect(pick(reply.result, "reply_to_message", "text")).toBe("first");
    const lost = { message_id: 99, allow_sending_without_reply: true };
    const loose = await api("sendMessage", { chat_id: 7, text: "re", reply_parameters: lost });
    expect(loose.ok).toBe(true);
    expect(pick(loose.result, "reply_to_message")).toBeUndefined();
  });

  it("an inline keyboard, which stays with the message", async () => {
    const markup = { inline_keyboard: [[{ text: "Stop", callback_data: "stop" }]] };
    const answer = await api("sendMessage", { chat_id: 7, text: "x", reply_markup: markup });
    expect(pick(answer.result, "reply_markup")).toEqual(markup);
  });
});

describe("editMessageText", () => {
  it("changes the text, and refuses what changes nothing, is not there or is not the bot's", async () => {
    const ada = await emulator.user({ id: 7, firstName: "Ada" });
    const foreign = await ada.says("mine");
    const id = pickId(await api("sendMessage", { chat_id: 7, text: "a" }));
    const edit = (message_id: number, text: string): ReturnType<CallApi> =>
      api("editMessageText", { chat_id: 7, message_id, text });
    expect(pick((await edit(id, "b")).result, "edit_date")).toBeTypeOf("number");
    expect((await edit(id, "b")).description).toBe(
      "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
    expect((await edit(id + 1, "b")).description).toBe("Bad Request: message to edit not found");
    expect((await edit(foreign, "b")).description).toBe("Bad Request: message can't be edited");
  });
});

describe("editMessageCaption", () => {
  it("changes the caption, and refuses what changes nothing, is no file or is not there", async () => {
    const text = pickId(await api("sendMessage", { chat_id: 7, text: "a" }));
    const id = pickId(await api("sendPhoto", { chat_id: 7, photo: "https://e.org/a.jpg", caption: "a" }));
    const edit = (message_id: number, caption: string): ReturnType<CallApi> =>
      api("editMessageCaption", { chat_id: 7, message_id, caption });
    expect(pick((await edit(id, "b")).result, "caption")).toBe("b");
    expect((await edit(id, "b")).description).toMatch(/^Bad Request: message is not modified: /);
    expect((await edit(text, "b")).description).toBe("Bad Request: there is no caption in the message to edit");
    expect((await edit(id + 1, "b")).description).toBe("Bad Request: message to edit not found");
  });
});

describe("the other methods", () => {
  it("know the chat, the webhook, the commands and the chat actions", async () => {
    expect(pick((await api("getChat", { chat_id: 7 })).result, "active_usernames")).toEqual(["ada"]);
    expect((await api("getChat", { chat_id: 8 })).description).toBe("Bad Request: chat not found");
    expect(pick((await api("getWebhookInfo")).result, "url")).toBe("");
    const commands = [{ command: "spawn", description: "Start a sub-agent" }];
    expect((await api("setMyCommands", { commands })).result).toBe(true);
    expect((await api("getMyCommands")).result).toEqual(commands);
    expect((await api("getMyCommands", { language_code: "de" })).result).toEqual([]);
    const bad = await api("setMyCommands", { commands: [{ command: "Spawn!", description: "x" }] });
    expect(bad.description).toBe("Bad Request: BOT_COMMAND_INVALID");
    expect((await api("sendChatAction", { chat_id: 7, action: "typing" })).result).toBe(true);
    expect((await api("sendChatAction", { chat_id: 7, action: "dancing" })).status).toBe(400);
  });

  it("deleteWebhook drops pending updates where the bot says so", async () => {
    await (await emulator.user({ id: 7, firstName: "Ada" })).says("old");
    await api("deleteWebhook");
    expect((await emulator.bot()).pendingUpdates).toBe(1);
    await api("deleteWebhook", { drop_pending_updates: true });
    expect((await emulator.bot()).pendingUpdates).toBe(0);
  });
});
