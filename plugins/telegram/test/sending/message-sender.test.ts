import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import type { Address, ChannelConnection } from "@banyan/plugin-sdk";
import { formatAddress } from "@banyan/plugin-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Interception } from "../loopback-fetch.ts";
import { buildOutbound, TestAccount, TOKEN } from "../test-account.ts";

let telegram: TelegramEmulator;
let ada: TelegramUser;
let bob: TelegramUser;
let account: TestAccount;
let connection: ChannelConnection;
let intercept: Interception;

beforeEach(async () => {
  telegram = await createTelegramEmulator();
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  ada = await telegram.user({ id: 42, firstName: "Ada" });
  bob = await telegram.user({ id: 43, firstName: "Bob" });
  await ada.starts();
  await bob.starts();
  intercept = () => undefined;
  account = new TestAccount(telegram, { intercept: (method) => intercept(method) });
  connection = await account.connect();
});

afterEach(async () => {
  await account.close();
  await telegram.close();
});

/** Refuses the markup of the next message. */
function refuseMarkup(description: string): void {
  let refusals = 1;
  intercept = (method) => {
    if (method !== "sendMessage" || refusals === 0) return undefined;
    refusals -= 1;
    return { status: 400, body: { ok: false, error_code: 400, description } };
  };
}

async function readSaid() {
  return (await ada.messages()).filter(({ author }) => author === "bot");
}

describe("a message that is sent", () => {
  test("arrives, and its receipt names it", async () => {
    const { platformId } = await connection.send(buildOutbound(42, "hello"));
    const heard = await ada.hears("hello", { once: true });
    expect(platformId).toBe(String(heard.messageId));
  });

  test("shows its markup by entities, without a preview of links", async () => {
    await connection.send(buildOutbound(42, "so **bold** it is"));
    const heard = await ada.hears("so bold it is");
    expect(heard.entities).toEqual([{ type: "bold", offset: 3, length: 4 }]);
    const [call] = await telegram.record({ method: "sendMessage" });
    expect(call?.params).toMatchObject({ chat_id: 42, link_preview_options: { is_disabled: true } });
    expect(call?.params).not.toHaveProperty("parse_mode");
  });

  test("answers the message it is meant for", async () => {
    const id = await ada.says("how many?");
    await connection.send(buildOutbound(42, "three", { replyTo: String(id) }));
    await ada.hears("three");
    expect(await ada.messages()).toMatchObject([{ text: "three", replyTo: id }]);
  });

  test("T9: arrives also when the message it answers is gone", async () => {
    await connection.send(buildOutbound(42, "three", { replyTo: "999" }));
    await ada.hears("three", { once: true });
  });

  test("T4: is sent once more as plain text when its markup is refused", async () => {
    refuseMarkup("Bad Request: can't parse entities: expected an Array of MessageEntity");
    await connection.send(buildOutbound(42, "so **bold** it is"));
    const heard = await ada.hears("so bold it is", { once: true });
    expect(heard.entities).toEqual([]);
  });

  test("T4: shows the addresses of its links when they are refused as too long", async () => {
    // As large as 60 addresses in Chinese: too much for one message, which the host does not send as one.
    const links = Array.from({ length: 60 }, (_, at) => `[tree ${at}](https://e.org/${"樹".repeat(20)}/${at})`);
    await connection.send(buildOutbound(42, links.join("\n")));
    const messages = await readSaid();
    expect(messages.length).toBe(1);
    const [whole] = messages;
    expect(whole?.entities.map(({ type }) => type)).not.toContain("text_link");
    for (const at of links.keys()) expect(whole?.text).toContain(`tree ${at} (https://e.org/${"樹".repeat(20)}/${at})`);
  });

  test("T4: goes on in further messages where its links with their addresses are longer than one", async () => {
    const path = "x".repeat(120);
    const links = Array.from({ length: 50 }, (_, at) => `[tree ${at}](https://e.org/${path}/${at})`);
    refuseMarkup("Bad Request: entities too long");
    const receipt = await connection.send(
      buildOutbound(42, links.join("\n"), { replyTo: String(await ada.says("go")) }),
    );
    const messages = await readSaid();
    expect(messages.length).toBe(2);
    expect(receipt.platformId).toBe(String(messages.at(-1)?.messageId));
    const lines = messages.flatMap(({ text }) => text.split("\n"));
    expect(lines).toEqual(links.map((_, at) => `tree ${at} (https://e.org/${path}/${at})`));
    expect(messages.map(({ replyTo }) => replyTo !== undefined)).toEqual([true, false]);
  });

  test("T4: what was sent in part is in doubt, whatever the next message was refused for", async () => {
    const links = Array.from({ length: 50 }, (_, at) => `[tree ${at}](https://e.org/${"x".repeat(120)}/${at})`);
    let calls = 0;
    intercept = (method) => {
      if (method !== "sendMessage") return undefined;
      calls += 1;
      if (calls === 2) return undefined;
      const description = calls === 1 ? "Bad Request: ENTITIES_TOO_LONG" : "Bad Request: chat not found";
      return { status: 400, body: { ok: false, error_code: 400, description } };
    };
    await expect(connection.send(buildOutbound(42, links.join("\n")))).rejects.toMatchObject({
      class: "ambiguous",
      message: expect.stringContaining("only the beginning was sent"),
    });
    expect(await readSaid()).toHaveLength(1);
  });

  test("shows its source when its markup shows nothing", async () => {
    await connection.send(buildOutbound(42, "[a]: https://example.org"));
    await ada.hears("[a]: https://example.org");
  });

  test("goes into the topic of its address", async () => {
    const place = { channel: "telegram", account: "default", kind: "dm", chat: "42", thread: "7" } as const;
    await connection.send(buildOutbound(42, "here", { address: formatAddress(place) }));
    const [call] = await telegram.record({ method: "sendMessage" });
    expect(call?.params).toMatchObject({ chat_id: 42, message_thread_id: 7 });
  });

  test.each([
    ["T19: the General topic without its id", { kind: "group", chat: "-1001", thread: "1" }, undefined],
    ["a topic with its id", { kind: "group", chat: "-1001", thread: "7" }, 7],
    ["a private topic with its id, whichever it is", { kind: "dm", chat: "42", thread: "1" }, 1],
  ] as const)("names %s", async (_, place, topic) => {
    const address = formatAddress({ channel: "telegram", account: "default", ...place });
    // The private one is gone, so it arrives beside it.
    await connection.send(buildOutbound(42, "here", { address })).catch(() => undefined);
    const [call] = await telegram.record({ method: "sendMessage" });
    expect(call?.params.message_thread_id).toBe(topic);
  });

  test("answers nothing where the id is none of Telegram", async () => {
    await connection.send(buildOutbound(42, "three", { replyTo: "web-7" }));
    const heard = await ada.hears("three");
    expect(await ada.messages()).toMatchObject([{ messageId: heard.messageId }]);
    const [call] = await telegram.record({ method: "sendMessage" });
    expect(call?.params).not.toHaveProperty("reply_parameters");
  });

  test("does not wait for one to another chat", async () => {
    const gate = await telegram.faults.hold({ method: "sendMessage", chatId: 42 });
    const toAda = connection.send(buildOutbound(42, "slow"));
    await gate.reached();
    await connection.send(buildOutbound(43, "fast"));
    await bob.hears("fast");
    expect(await ada.messages()).toEqual([]);
    await gate.release();
    await toAda;
    await ada.hears("slow");
  });
});

describe("a message that is not sent", () => {
  test("T13: says that the user blocked the bot", async () => {
    await ada.blocks();
    await expect(connection.send(buildOutbound(42, "hello"))).rejects.toMatchObject({
      class: "chat_gone",
      message: expect.stringMatching(/^Sending to Telegram chat 42: refused with 403 .*blocked.*user writes/),
    });
  });

  test("T11: says that the chat is unknown", async () => {
    await expect(connection.send(buildOutbound(999, "hello"))).rejects.toMatchObject({ class: "chat_gone" });
  });

  test("T27: says how long to wait, and is not tried again by itself", async () => {
    await telegram.faults.add({ kind: "too-many-requests", method: "sendMessage", retryAfterS: 3 });
    const sending = connection.send(buildOutbound(42, "hello"));
    await expect(sending).rejects.toMatchObject({ class: "rate_limited", retryAfterMs: 3_000 });
    expect(await telegram.record({ method: "sendMessage" })).toHaveLength(1);
  });

  test("T27: tells a held chat from a held account, by how many chats are held at once", async () => {
    const limit = (retryAfterS: number) =>
      telegram.faults.add({ kind: "too-many-requests", method: "sendMessage", retryAfterS });
    await limit(3);
    await expect(connection.send(buildOutbound(42, "1"))).rejects.toMatchObject({ isAccountWide: false });
    await limit(60);
    await expect(connection.send(buildOutbound(43, "1"))).rejects.toMatchObject({
      isAccountWide: true,
      retryAfterMs: 60_000,
    });
    account.clock.advance(60_000);
    await limit(3);
    await expect(connection.send(buildOutbound(42, "1"))).rejects.toMatchObject({ isAccountWide: false });
    await limit(3);
    await expect(connection.send(buildOutbound(42, "1"))).rejects.toMatchObject({ isAccountWide: false });
  });

  test("T1: is too long beyond 4096 units", async () => {
    const sending = connection.send(buildOutbound(42, "a".repeat(4097)));
    await expect(sending).rejects.toMatchObject({ class: "too_long" });
  });

  test.each([
    ["T56: its answer was lost", { kind: "drop-answer" }],
    ["T56: its request was lost on the way", { kind: "drop-request" }],
    ["T55: a proxy gave an error page", { kind: "server-error", isAccepted: true }],
    ["its answer cannot be read", { kind: "garbage", isAccepted: true }],
  ] as const)("is of unknown fate when %s", async (_, fault) => {
    await telegram.faults.add({ ...fault, method: "sendMessage" });
    await expect(connection.send(buildOutbound(42, "hello"))).rejects.toMatchObject({ class: "ambiguous" });
    expect(await telegram.record({ method: "sendMessage" })).toHaveLength(1);
  });

  test("is of unknown fate when it was accepted without an id", async () => {
    intercept = (method) => (method === "sendMessage" ? { status: 200, body: { ok: true, result: {} } } : undefined);
    await expect(connection.send(buildOutbound(42, "hello"))).rejects.toMatchObject({ class: "ambiguous" });
  });

  test("T56: was certainly not sent when nobody listened", async () => {
    const gone = await createTelegramEmulator();
    await gone.close();
    const me = { id: 7550001, is_bot: true, first_name: "Grove", username: "grove_bot" };
    const lonely = new TestAccount(gone, {
      intercept: (method) => (method === "getMe" ? { status: 200, body: { ok: true, result: me } } : undefined),
    });
    const { send } = await lonely.connect();
    await expect(send(buildOutbound(42, "hello"))).rejects.toMatchObject({ class: "definite" });
    await lonely.close();
  });

  test("was certainly not sent when the account is stopped", async () => {
    await account.close();
    await expect(connection.send(buildOutbound(42, "hello"))).rejects.toMatchObject({ class: "definite" });
  });

  test("is cut off by the end of the account, with an unknown fate", async () => {
    const gate = await telegram.faults.hold({ method: "sendMessage", at: "answer" });
    const sending = connection.send(buildOutbound(42, "hello"));
    const failed = expect(sending).rejects.toMatchObject({ class: "ambiguous" });
    await gate.reached();
    await account.close();
    await failed;
  });

  test.each(["irc/default/dm/42", "telegram/default/dm/ada"])("is refused for the address %s", async (text) => {
    const [channel = "", , , chat = ""] = text.split("/");
    const address: Address = formatAddress({ channel, account: "default", kind: "dm", chat });
    await expect(connection.send(buildOutbound(42, "hello", { address }))).rejects.toMatchObject({
      class: "permanent",
    });
  });
});
