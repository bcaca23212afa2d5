import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createManualClock, createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "../src/index.ts";
import { type CallApi, createBotClient, GROVE } from "./bot-client.ts";

let emulator: TelegramEmulator;
let ada: TelegramUser;
let api: CallApi;

beforeEach(async () => {
  emulator = await createTelegramEmulator({ clock: createManualClock() });
  await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  await api("getUpdates", { allowed_updates: ["message", "stopped_message_generation"] });
  ada = await emulator.user({ id: 7, firstName: "Ada" });
  await ada.starts();
});
afterEach(() => emulator.close());

function draft(text: string, more: object = {}) {
  return api("sendMessageDraft", { chat_id: 7, draft_id: 5, text, ...more });
}

describe("a draft (T45)", () => {
  it("is seen in the chat, changes, and goes when the message comes; it is no message", async () => {
    await draft("Once");
    await draft("Once <b>upon</b>", { parse_mode: "HTML" });
    expect(await ada.hearsDraft("Once")).toMatchObject({ draftId: 5, canStop: false });
    expect((await ada.hearsDraft(/upon$/)).entities).toEqual([{ type: "bold", offset: 5, length: 4 }]);
    expect(await ada.drafts()).toMatchObject([{ text: "Once upon" }]);
    expect(await ada.history()).toEqual([]);
    await api("sendMessage", { chat_id: 7, text: "Once upon a time" });
    expect(await ada.drafts()).toEqual([]);
  });

  it("vanishes after 30 seconds, unless it is shown again", async () => {
    await draft("Once");
    await emulator.passTime(20_000);
    await draft("Once");
    await emulator.passTime(29_999);
    expect(await ada.drafts()).toHaveLength(1);
    await emulator.passTime(1);
    expect(await ada.drafts()).toEqual([]);
  });

  it("without words shows that the bot thinks", async () => {
    expect(await draft("")).toMatchObject({ ok: true });
    expect(await ada.drafts()).toMatchObject([{ text: "" }]);
  });

  it("is refused without a number, in a group, too long, and to whom the bot may not write", async () => {
    const group = await emulator.createRoom({
      kind: "group",
      title: "Hall",
      creator: ada,
      bots: [await emulator.bot()],
    });
    const bob = await emulator.user({ id: 8, firstName: "Bob" });
    await bob.starts();
    await bob.blocks();
    const refusals = await Promise.all([
      draft("x", { draft_id: 0 }),
      draft("x", { chat_id: group.chatId }),
      draft("x".repeat(4_097)),
      draft("<b>x", { parse_mode: "HTML" }),
      draft("x", { chat_id: 8 }),
    ]);
    expect(refusals.map(({ status, description }) => [status, description?.slice(0, 45)])).toEqual([
      [400, "Bad Request: draft identifier must be non-zer"],
      [400, "Bad Request: TEXTDRAFT_PEER_INVALID"],
      [400, "Bad Request: message is too long"],
      [400, "Bad Request: can't parse entities: Can't find"],
      [403, "Forbidden: bot was blocked by the user"],
    ]);
  });

  it("T62: is another one in another thread", async () => {
    await draft("here");
    await draft("there", { message_thread_id: 9 });
    expect((await ada.drafts()).map(({ text }) => text)).toEqual(["here", "there"]);
    await api("sendMessage", { chat_id: 7, text: "done" });
    expect((await ada.drafts()).map(({ text }) => text)).toEqual(["there"]);
  });

  it("T61: is stopped by a button, where it has one, and the bot is told which", async () => {
    await draft("Once");
    await expect(ada.stopsDraft()).rejects.toMatchObject({ code: "unknown_message" });
    await draft("Once upon", { can_stop: true, message_thread_id: 9 });
    await ada.stopsDraft();
    const { result } = await api("getUpdates");
    const stopped = { chat: { id: 7, type: "private" }, message_thread_id: 9, draft_id: 5 };
    expect(result).toMatchObject([{ stopped_message_generation: stopped }]);
    expect((await ada.drafts()).map(({ text }) => text)).toEqual(["Once"]);
  });

  it("T61: stays for a while where it is to be kept", async () => {
    await draft("Once", { can_stop: true, keep_on_stop: true });
    await ada.stopsDraft();
    expect(await ada.drafts()).toHaveLength(1);
  });
});
