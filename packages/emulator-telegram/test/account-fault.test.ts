/** How each fault of an account comes about, and its exact words. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BotTrouble,
  createManualClock,
  createTelegramEmulator,
  type Fault,
  type ManualClock,
  REAL_LIMITS,
  type TelegramEmulator,
  type TelegramRoom,
  type TelegramUser,
} from "../src/index.ts";
import { type ApiAnswer, type CallApi, createBotClient, GROVE, pick, TOKEN } from "./bot-client.ts";

let emulator: TelegramEmulator;
let clock: ManualClock;
let api: CallApi;
let ada: TelegramUser;
let bot: { readonly id: number };

beforeEach(async () => {
  clock = createManualClock();
  emulator = await createTelegramEmulator({ clock });
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
describe("T27: flood control", () => {
  const wait = (seconds: number): object => ({
    status: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  });

  it("stops one chat or all until the time is over, and polls go on", async () => {
    const hall = await open("supergroup");
    await emulator.flood({ chatId: hall.chatId, retryAfterS: 30 });
    expect(await send(hall.chatId)).toMatchObject(wait(30));
    expect(await send(7)).toMatchObject({ ok: true });
    clock.advance(10_000);
    expect(await send(hall.chatId)).toMatchObject(wait(20));
    await emulator.flood({ retryAfterS: 5 });
    expect(await send(7)).toMatchObject(wait(5));
    expect(await api("getUpdates")).toMatchObject({ ok: true });
    await emulator.passTime(20_000);
    expect(await send(hall.chatId)).toMatchObject({ ok: true });
  });

  it("keeps Telegram's own limits where they are switched on: a chat a second, a group in a minute, all in a second", async () => {
    const hall = await open("supergroup");
    await emulator.setLimits(REAL_LIMITS);
    expect(await send(7)).toMatchObject({ ok: true });
    expect(await send(7)).toMatchObject(wait(1));
    for (let at = 0; at < 20; at += 1) {
      clock.advance(1000);
      expect(await send(hall.chatId)).toMatchObject({ ok: true });
    }
    clock.advance(1000);
    expect(await send(hall.chatId)).toMatchObject({ status: 429, parameters: { retry_after: 39 } });
    clock.advance(39_000);
    expect(await send(hall.chatId)).toMatchObject({ ok: true });
    await emulator.setLimits({ perSecond: 2 });
    clock.advance(1000);
    expect(await send(7)).toMatchObject({ ok: true });
    expect(await send(hall.chatId)).toMatchObject({ ok: true });
    expect(await send(7)).toMatchObject(wait(1));
    await emulator.setLimits({});
    expect(await send(7)).toMatchObject({ ok: true });
  });
});

describe("an account in trouble", () => {
  it.each([
    ["T29", "revoked", 401, "Unauthorized"],
    ["T29", "invalid-token", 401, "Unauthorized: invalid token specified"],
    ["T29", "unknown", 404, "Not Found"],
    ["T30", "logged-out", 400, "Logged out"],
    ["T30", "closed", 400, "Bad Request: the bot has already been closed"],
    ["T31", "misdirected", 421, "Misdirected Request: unallowed token specified"],
    ["T59", "frozen", 406, "FROZEN_METHOD_INVALID"],
  ] satisfies [string, BotTrouble, number, string][])("%s: %s", async (_, trouble, status, description) => {
    await emulator.setBot({ trouble });
    expect(await send(7)).toMatchObject({ status, description });
    if (trouble !== "frozen") expect(await api("getUpdates")).toMatchObject({ status, description });
    await emulator.setBot({ trouble: "none" });
    expect(await send(7)).toMatchObject({ ok: true });
  });

  it("T30: logs out and closes by the bot's own call", async () => {
    await api("logOut");
    expect(await api("getMe")).toMatchObject({ status: 400, description: "Logged out" });
  });

  it("T57: a method that this server does not have", async () => {
    expect(await api("sendHologram")).toMatchObject({ status: 404, description: "Not Found: method not found" });
  });
});

it.each([
  ["T17", 400, "Bad Request: CHAT_WRITE_FORBIDDEN", undefined],
  ["T17", 400, "Bad Request: CHAT_RESTRICTED", undefined],
  ["T28", 429, "Too Many Requests: retry after 60", { retryAfterS: 60 }],
  ["T34", 409, "Conflict: terminated by other setWebhook", undefined],
  ["T55", 500, "Internal Server Error: restart", undefined],
  ["T59", 400, "Bad Request: FROZEN_METHOD_INVALID", undefined],
])("%s: %i %s is injected", async (_, code, description, parameters) => {
  const fault: Fault = { kind: "refuse", code, description, ...parameters };
  await emulator.faults.add(fault);
  const refused = await send(7);
  expect(refused).toMatchObject({ status: code, description });
  expect(refused.parameters).toEqual(parameters === undefined ? undefined : { retry_after: 60 });
  expect(await ada.messages()).toEqual([]);
});

it("T60: entities count UTF-16 units, behind astral characters too", async () => {
  await ada.says("👩‍👩‍👧 /go@grove_bot see e.org");
  const { result } = await api("getUpdates");
  expect(pick(result, 0, "message", "entities")).toEqual([
    { type: "bot_command", offset: 9, length: 13 },
    { type: "url", offset: 27, length: 5 },
  ]);
});

it("keeps commands by scope and language, and forgets them when they are deleted", async () => {
  const scope = { type: "chat", chat_id: 7 };
  const commands = [{ command: "stop", description: "Stop" }];
  await api("setMyCommands", { commands, scope, language_code: "de" });
  expect((await api("getMyCommands", { scope, language_code: "de" })).result).toEqual(commands);
  expect((await api("getMyCommands", { scope })).result).toEqual([]);
  expect((await api("deleteMyCommands", { scope, language_code: "de" })).result).toBe(true);
  expect((await api("getMyCommands", { scope, language_code: "de" })).result).toEqual([]);
  expect(await api("getMe")).toMatchObject({ result: { id: Number(TOKEN.split(":")[0]) } });
});
