import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { beforeEach, describe, expect, test } from "vitest";
import { parsePollCursor } from "../../src/polling/poll-cursor.ts";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";
import { buildOutbound, TestAccount } from "../test-account.ts";

let telegram: TelegramTown["telegram"];
let ada: TelegramTown["ada"];
let createAccount: TelegramTown["createAccount"];

beforeEach(async () => {
  ({ telegram, ada, createAccount } = await openTelegramTown());
});

async function lastOffset(): Promise<number> {
  const polls = await telegram.record({ method: "getUpdates" });
  return Number(polls.at(-1)?.params.offset);
}

test("what a server of others polls with null for what is not there is read, and nothing is left out", async () => {
  const chat = { id: 42, type: "private", title: null };
  const from = { id: 42, is_bot: false, first_name: "Ada", last_name: null };
  const quiet = { edited_message: null, channel_post: null };
  const query = { id: "7", from, message: null, inline_message_id: "1", chat_instance: "1", data: "b1" };
  const said = { message_id: 1, date: 1_750_000_000, chat, from, text: "one", reply_to_message: null, entities: null };
  const result = [
    { update_id: 1, message: null, ...quiet, callback_query: query },
    { update_id: 2, message: said, ...quiet, callback_query: null },
  ];
  let polls = 0;
  const account = createAccount({
    intercept: (method) => {
      if (method !== "getUpdates") return undefined;
      polls += 1;
      return polls === 1 ? { status: 200, body: { ok: true, result } } : undefined;
    },
  });
  await account.connect();
  expect(await account.receives(1)).toEqual(["one"]);
  expect(account.received[0]).toMatchObject({ sender: { id: "42", displayName: "Ada" } });
  expect(account.logged.filter(({ level }) => level === "error")).toEqual([]);
});

describe("what a person writes", () => {
  test("is received in order, whether before or after the start", async () => {
    const account = createAccount();
    await ada.says("one");
    await account.connect();
    await account.receives(1);
    await ada.says("two");
    await ada.says("/status@grove_bot now");
    expect(await account.receives(3)).toEqual(["one", "two", "/status now"]);
  });

  test("is received as an edit when it is changed", async () => {
    const account = createAccount();
    await account.connect();
    const id = await ada.says("one");
    await account.receives(1);
    await ada.edits(id, "uno");
    await account.receives(2);
    expect(account.received[1]).toMatchObject({ id: String(id), text: "uno", editedAt: expect.any(Number) });
  });

  test("is confirmed only when it is stored", async () => {
    const stored = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const account = createAccount({
      store: async () => {
        arrived.resolve();
        await stored.promise;
      },
    });
    const nextPoll = await telegram.faults.hold({ method: "getUpdates", skip: 1 });
    const connection = await account.connect();
    await ada.says("one");
    await arrived.promise;
    // A poll that did not wait for the store would be at Telegram before the second message.
    await connection.send(buildOutbound(42, "hello"));
    await connection.send(buildOutbound(42, "hello again"));
    expect(await telegram.record({ method: "getUpdates" })).toHaveLength(1);
    stored.resolve();
    await nextPoll.reached();
    expect(await lastOffset()).toBe(parsePollCursor(account.cursor).offset);
    await nextPoll.release();
  });

  test("is received again, not fetched again, when it could not be stored", async () => {
    let isStoreDown = true;
    const account = createAccount({
      store: async () => {
        if (isStoreDown) throw new Error("disk full");
      },
    });
    await account.connect();
    await ada.says("one");
    expect(await account.clock.awaitAlarm()).toBe(500);
    account.clock.advance(500);
    expect(await account.clock.awaitAlarm()).toBe(1000);
    expect(account.received).toEqual([]);
    expect((await telegram.counts()).getUpdates).toMatchObject({ accepted: 1 });
    isStoreDown = false;
    account.clock.advance(1000);
    expect(await account.receives(1)).toEqual(["one"]);
    expect((await account.reported(1))?.error?.message).toContain("1 messages were not stored");
    expect((await account.reported(2))?.state).toBe("running");
  });

  test("T36: comes again after a restart when it was stored but not confirmed, and the stored cursor prevents it", async () => {
    const never = new Promise<void>(() => undefined);
    const arrived = Promise.withResolvers<string | undefined>();
    const dying = createAccount({
      store: (_, cursor) => {
        arrived.resolve(cursor);
        return never;
      },
    });
    await dying.connect();
    await ada.says("one");
    const cursor = await arrived.promise;
    await dying.close();

    const forgetful = createAccount();
    await forgetful.connect();
    expect(await forgetful.receives(1)).toEqual(["one"]);
    await forgetful.close();

    const mindful = createAccount({ cursor });
    await mindful.connect();
    await ada.says("two");
    expect(await mindful.receives(1)).toEqual(["two"]);
  });

  test("is not held up by updates of other kinds, which are confirmed too", async () => {
    await ada.starts();
    await ada.blocks();
    await ada.unblocks();
    const account = createAccount();
    const secondPoll = await telegram.faults.hold({ method: "getUpdates", skip: 1 });
    await account.connect();
    await secondPoll.reached();
    expect(account.received).toEqual([]);
    expect(await lastOffset()).toBe(parsePollCursor(account.cursor).offset);
    await secondPoll.release();
  });
});

test("T42: every poll says which kinds it takes, for Telegram keeps the list of whoever polled last", async () => {
  const account = createAccount();
  await account.connect();
  await ada.says("one");
  await account.receives(1);
  await account.close();
  const polls = await telegram.record({ method: "getUpdates" });
  for (const { params } of polls) {
    expect(params.allowed_updates).toEqual([
      "message",
      "edited_message",
      "channel_post",
      "edited_channel_post",
      "my_chat_member",
      "callback_query",
      "stopped_message_generation",
    ]);
  }
  expect(polls.length).toBeGreaterThan(0);
});

describe("polling ends", () => {
  test("for good when the token is revoked", async () => {
    const account = createAccount();
    await account.connect();
    await telegram.revokeBot();
    await ada.says("one");
    const report = await account.reported(1);
    expect(report).toMatchObject({ state: "failed", error: { class: "unauthorized" } });
    expect(account.clock.pending).toBe(0);
  });

  test("at once while Telegram holds the poll", async () => {
    const account = createAccount();
    await account.connect();
    await ada.says("one");
    await account.receives(1);
    await account.close();
    expect(account.reports).toEqual([]);
  });

  test("at once while it waits for a better time", async () => {
    await telegram.faults.add({ kind: "drop-request", method: "getUpdates" });
    const account = createAccount();
    await account.connect();
    await account.clock.awaitAlarm();
    await account.close();
    expect(account.clock.pending).toBe(0);
  });

  test("at once while the store takes its time", async () => {
    const arrived = Promise.withResolvers<void>();
    const account = createAccount({
      store: () => {
        arrived.resolve();
        return new Promise(() => undefined);
      },
    });
    await account.connect();
    await ada.says("one");
    await arrived.promise;
    await account.close();
    expect(await telegram.bot()).toMatchObject({ pendingUpdates: 1 });
  });
});

describe("connecting", () => {
  test("fails with a sentence when the token is refused", async () => {
    await telegram.revokeBot();
    await expect(createAccount().connect()).rejects.toMatchObject({
      class: "unauthorized",
      message: 'Connecting to Telegram: refused with 401 "Unauthorized"; take the present token from @BotFather',
    });
  });

  test("is worth another try when nobody listens", async () => {
    const gone = await createTelegramEmulator();
    await gone.close();
    await expect(new TestAccount(gone).connect()).rejects.toMatchObject({ class: "definite" });
  });

  test("tells the log which bot it is", async () => {
    const account = createAccount();
    await account.connect();
    expect(account.logged).toMatchObject([{ level: "info", fields: { botId: 7550001, botUsername: "grove_bot" } }]);
  });
});
