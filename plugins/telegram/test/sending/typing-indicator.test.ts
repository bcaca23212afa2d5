import { createTelegramEmulator, type TelegramEmulator, type TelegramUser } from "@banyan/emulator-telegram";
import { type ChannelConnection, formatAddress, type TypingAbility } from "@banyan/plugin-sdk";
import { afterEach, assert, beforeEach, describe, expect, test } from "vitest";
import { buildOutbound, TestAccount, TOKEN } from "../test-account.ts";

let telegram: TelegramEmulator;
let ada: TelegramUser;
let account: TestAccount;
let connection: ChannelConnection;
let typing: TypingAbility;
const { address } = buildOutbound(42, "-");

beforeEach(async () => {
  telegram = await createTelegramEmulator();
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  ada = await telegram.user({ id: 42, firstName: "Ada" });
  await ada.starts();
  account = new TestAccount(telegram);
  connection = await account.connect();
  assert(connection.typing !== undefined);
  typing = connection.typing;
});

afterEach(async () => {
  await account.close();
  await telegram.close();
});

describe("the typing indicator", () => {
  test("costs an instant answer no request", async () => {
    const stop = typing.start(address);
    account.clock.advance(299);
    stop();
    account.clock.advance(60_000);
    await connection.send(buildOutbound(42, "hello"));
    expect(await telegram.record({ method: "sendChatAction" })).toEqual([]);
  });

  test("T44: shows after a moment and every four seconds until it is stopped", async () => {
    const stop = typing.start(address);
    account.clock.advance(300);
    await telegram.called("sendChatAction", 1);
    // The next one waits until the answer to the last is in, which the answer to a later call proves.
    await connection.send(buildOutbound(42, "one"));
    account.clock.advance(3_999);
    expect(await telegram.record({ method: "sendChatAction" })).toHaveLength(1);
    account.clock.advance(1);
    await telegram.called("sendChatAction", 2);
    stop();
    expect(account.clock.pending).toBe(0);
    expect(await telegram.record({ method: "sendChatAction" })).toMatchObject([
      { params: { chat_id: 42, action: "typing" } },
      { params: { chat_id: 42, action: "typing" } },
    ]);
  });

  test("does not pile up on a slow network", async () => {
    const gate = await telegram.faults.hold({ method: "sendChatAction" });
    const stop = typing.start(address);
    account.clock.advance(300);
    await gate.reached();
    account.clock.advance(4_000);
    account.clock.advance(4_000);
    await connection.send(buildOutbound(42, "one"));
    expect(await telegram.record({ method: "sendChatAction" })).toHaveLength(1);
    stop();
    await gate.release();
  });

  test("gives up without a word to the operator when it is refused", async () => {
    const refused = await telegram.faults.add({ kind: "too-many-requests", method: "sendChatAction", retryAfterS: 9 });
    typing.start(address);
    account.clock.advance(300);
    await refused.met();
    await account.logs(2);
    expect(account.clock.pending).toBe(0);
    expect(account.reports).toEqual([]);
    expect(account.logged.at(-1)).toMatchObject({ level: "debug", fields: { err: { class: "rate_limited" } } });
  });

  test("is not asked for any more, for an hour, in a group that refused it three times", async () => {
    const group = formatAddress({ channel: "telegram", account: "default", kind: "group", chat: "-1001" });
    const tries = async (times: number) => {
      for (let round = 0; round < times; round += 1) {
        const lines = account.logged.length;
        typing.start(group);
        account.clock.advance(300);
        if (account.clock.pending > 0) await account.logs(lines + 1);
      }
    };
    await tries(5);
    expect(await telegram.record({ method: "sendChatAction" })).toHaveLength(3);
    account.clock.advance(60 * 60_000);
    await tries(1);
    expect(await telegram.record({ method: "sendChatAction" })).toHaveLength(4);
  });

  test("T44: is asked for again in a private chat, where each refusal passes", async () => {
    for (let round = 0; round < 4; round += 1) {
      const lines = account.logged.length;
      await telegram.faults.add({ kind: "too-many-requests", method: "sendChatAction", retryAfterS: 9 });
      typing.start(address);
      account.clock.advance(300);
      await account.logs(lines + 1);
    }
    expect(await telegram.record({ method: "sendChatAction" })).toHaveLength(4);
  });

  test("ends with the account", async () => {
    typing.start(address);
    await account.close();
    expect(account.clock.pending).toBe(0);
  });

  test("may be stopped twice, and shown in many chats at once", () => {
    const stops = Array.from({ length: 50 }, (_, chat) => typing.start(buildOutbound(chat + 1, "-").address));
    for (const stop of [...stops, ...stops]) stop();
    expect(account.clock.pending).toBe(0);
  });
});
