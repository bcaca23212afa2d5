import { createTelegramEmulator, type TelegramEmulator } from "@banyan/emulator-telegram";
import type { InboundMessage } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parsePollCursor } from "../../src/polling/poll-cursor.ts";
import { TestAccount, type TestAccountOptions, TOKEN } from "../test-account.ts";

const ada = { id: 42, is_bot: false, first_name: "Ada" };
const basic = { id: -123, type: "group", title: "Grove" };
const group = { id: -1001, type: "supergroup", title: "Grove" };

let telegram: TelegramEmulator;
let account: TestAccount | undefined;

beforeEach(async () => {
  telegram = await createTelegramEmulator();
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
});

afterEach(async () => {
  await account?.close();
  await telegram.close();
});

function write(id: number, chat: object, text: string): object {
  return { update_id: id, message: { message_id: id, date: 1, from: ada, chat, text } };
}

/** An account to which Telegram gives these updates once, then nothing. */
async function connectWith(
  updates: readonly (object | Update)[],
  options: TestAccountOptions = {},
): Promise<TestAccount> {
  let isGiven = false;
  account = new TestAccount(telegram, {
    ...options,
    intercept: (method) => {
      if (method !== "getUpdates" || isGiven) return undefined;
      isGiven = true;
      return { status: 200, body: { ok: true, result: updates } };
    },
  });
  await account.connect();
  return account;
}

describe("T12: a group that grows", () => {
  const updates = [
    write(1, basic, "before"),
    { update_id: 2, message: { message_id: 2, date: 1, from: ada, chat: basic, migrate_to_chat_id: group.id } },
    { update_id: 3, message: { message_id: 1, date: 1, from: ada, chat: group, migrate_from_chat_id: basic.id } },
    write(4, group, "after"),
  ];

  test("is told between what was written before and after, and confirmed behind it", async () => {
    const steps: unknown[] = [];
    const grown = await connectWith(updates, {
      store: async (messages: readonly InboundMessage[], cursor) => {
        steps.push([...messages.map(({ text }) => text), parsePollCursor(cursor).offset]);
      },
      storeMove: async ({ from, to }) => void steps.push([from, to]),
    });
    await grown.receives(2);
    const move = ["telegram/default/group/-123", "telegram/default/group/-1001"];
    expect(steps).toEqual([["before", 2], move, [3], move, [4], ["after", 5]]);
  });

  test("is told again until it is stored, and nothing goes past it", async () => {
    let isDown = true;
    const grown = await connectWith(updates, {
      storeMove: async () => {
        if (isDown) throw new Error("disk full");
      },
    });
    expect(await grown.clock.awaitAlarm()).toBe(500);
    expect(grown.received.map(({ text }) => text)).toEqual(["before"]);
    expect(parsePollCursor(grown.cursor).offset).toBe(2);
    expect(grown.reports).toMatchObject([{ state: "retrying", error: { message: expect.stringMatching(/new id/) } }]);
    isDown = false;
    grown.clock.advance(500);
    expect(await grown.receives(2)).toEqual(["before", "after"]);
  });
});

test("T58: kinds that nobody knows are confirmed, and what cannot be read is left out", async () => {
  const strange = { update_id: 2, message: { message_id: 2, date: 1, chat: { id: 5, type: "planet" }, text: "x" } };
  const grove = await connectWith([
    { update_id: 1, guest_message: {} },
    strange,
    write(3, { ...ada, type: "private" }, "one"),
  ]);
  expect(await grove.receives(1)).toEqual(["one"]);
  expect(parsePollCursor(grove.cursor).offset).toBe(4);
  expect(await grove.says(/could not be translated/)).toMatchObject({ level: "error", fields: { updateId: 2 } });
});

test("what changes between the bot and a chat is in the log, and no agent hears of it", async () => {
  const user = { id: 7550001, is_bot: true, first_name: "Grove" };
  const change = { chat: group, from: ada, date: 1, old_chat_member: { status: "left", user } };
  const added = { update_id: 1, my_chat_member: { ...change, new_chat_member: { status: "member", user } } };
  const grove = await connectWith([added, write(2, { ...ada, type: "private" }, "one")]);
  expect(await grove.receives(1)).toEqual(["one"]);
  expect(await grove.says(/was added to/)).toMatchObject({ level: "info" });
});
