import { beforeEach, describe, expect, test } from "vitest";
import { MAX_WAIT_MS, SLOW_AFTER_MS } from "../../src/intake/album-decision.ts";
import { parsePollCursor } from "../../src/polling/poll-cursor.ts";
import type { Interception } from "../loopback-fetch.ts";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";
import type { TestAccount } from "../test-account.ts";
import { joins, passAsk, passSecond } from "./album-second.ts";

const NOTE = "(some files of this album may follow in another message)";

let telegram: TelegramTown["telegram"];
let ada: TelegramTown["ada"];
let createAccount: TelegramTown["createAccount"];

beforeEach(async () => {
  ({ telegram, ada, createAccount } = await openTelegramTown());
});

function namesOf(account: TestAccount): readonly (readonly (string | undefined)[])[] {
  return account.received.map(({ attachments = [] }) => attachments.map(({ name }) => name));
}

/** Telegram says that so many updates wait, as long as `count` gives a number. */
function answerWaiting(count: () => number | undefined): Interception {
  return (method) => {
    const pending = method === "getWebhookInfo" ? count() : undefined;
    if (pending === undefined) return undefined;
    return { status: 200, body: { ok: true, result: { url: "", pending_update_count: pending } } };
  };
}

describe("T49: an album", () => {
  test("is one message with its caption and all its files, whenever its pieces come within a second", async () => {
    const account = createAccount();
    await account.connect();
    const [first] = await ada.sendsAlbum([{}, { kind: "document", name: "a.txt" }], "look");
    await account.clock.awaitAlarm(1000);
    account.clock.advance(999);
    await ada.sendsAlbum([{ kind: "video", name: "b.mp4" }], "", "album of look");
    await account.stores(1);
    account.clock.advance(999);
    expect(await telegram.record({ method: "getWebhookInfo" })).toEqual([]);
    expect(await joins(account, 1)).toEqual(["look"]);
    expect(namesOf(account)).toEqual([["photo.jpg", "a.txt", "b.mp4"]]);
    expect(account.received[0]?.id).toBe(String(first));
  });

  test("is whole when its chat goes on, and what comes before and after it stays there", async () => {
    const account = createAccount();
    await ada.says("before");
    await ada.sendsAlbum([{}, {}], "look");
    await ada.says("after");
    await account.connect();
    expect(await account.receives(3)).toEqual(["before", "look", "after"]);
    expect(account.cursor).not.toContain("pieces");
  });

  test("is stored before it is confirmed, so a death in between loses and splits nothing", async () => {
    const dying = createAccount();
    await ada.says("before");
    await ada.sendsAlbum([{ kind: "document", name: "a.txt" }], "look");
    await dying.connect();
    await dying.receives(1);
    await dying.clock.awaitAlarm(1000);
    await dying.close();
    const { offset } = parsePollCursor(dying.cursor);
    await ada.sendsAlbum([{ kind: "document", name: "b.txt" }], "", "album of look");
    const next = createAccount({ cursor: dying.cursor });
    await next.connect();
    await next.stores(1);
    expect(await joins(next, 1)).toEqual(["look"]);
    expect(namesOf(next)).toEqual([["a.txt", "b.txt"]]);
    expect(parsePollCursor(next.cursor).offset).toBe(offset + 1);
  });

  test("that is stored again, because nobody knows whether it was, has the same id and all its files", async () => {
    const stored: (string | undefined)[] = [];
    await ada.sendsAlbum([{}, {}], "look");
    const account = createAccount({
      store: async ([message]) => {
        if (message === undefined) return;
        stored.push(message.id);
        if (stored.length === 1) throw new Error("the disk is full");
      },
    });
    await account.connect();
    await joins(account, 1);
    expect(account.received).toMatchObject([{ text: "look", attachments: [{}, {}] }]);
    expect(stored).toHaveLength(2);
    expect(new Set(stored).size).toBe(1);
  });

  test("whose piece comes late leaves it a message of its own: nothing is lost", async () => {
    const account = createAccount();
    await account.connect();
    await ada.sendsAlbum([{}, {}], "look");
    await joins(account, 1);
    const [late] = await ada.sendsAlbum([{ kind: "document", name: "late.txt" }], "", "album of look");
    await joins(account, 2);
    expect(account.received[1]).toMatchObject({ id: String(late), text: "", attachments: [{ name: "late.txt" }] });
  });

  test("of ten pieces is whole and not waited for", async () => {
    const account = createAccount();
    await ada.sendsAlbum(Array(10).fill({}), "ten");
    await account.connect();
    await account.receives(1);
    expect(account.received[0]?.attachments).toHaveLength(10);
  });

  test("is not replaced by one of its pieces that is edited", async () => {
    const account = createAccount();
    const [first = 0] = await ada.sendsAlbum([{}, {}], "look");
    await account.connect();
    await joins(account, 1);
    await ada.edits(first, "look here");
    await ada.says("then");
    expect(await account.receives(2)).toEqual(["look", "then"]);
  });

  test.each([1, 5, 30])("that was cut off is one message, when its pieces come again %i s apart", async (seconds) => {
    await ada.sendsAlbum([{}, {}, {}], "look");
    const seen = Promise.withResolvers<void>();
    const dying = createAccount({
      store: () => {
        seen.resolve();
        return new Promise(() => undefined);
      },
    });
    await dying.connect();
    await seen.promise;
    await dying.close();
    const gates = [];
    for (const _ of ["the second piece", "the third"]) {
      await telegram.faults.add({ kind: "short-answer", method: "getUpdates", count: 1 });
      gates.push(await telegram.faults.hold({ method: "getUpdates", at: "request", skip: 0, times: 1 }));
    }
    const next = createAccount({ cursor: dying.cursor });
    await next.connect();
    for (const gate of gates) {
      await gate.reached(1);
      for (let passed = 0; passed < seconds; passed += 1) await passSecond(next);
      await next.clock.awaitAlarm(1000);
      expect(next.received).toEqual([]);
      await gate.cut();
      // The poll was lost: the next one comes after a pause.
      next.clock.advance(await next.clock.awaitAlarm(500));
    }
    await next.stores(1);
    await joins(next, 1);
    expect(next.received).toMatchObject([{ text: "look", attachments: [{}, {}, {}] }]);
  });

  test("waits while Telegram does not say what waits there", async () => {
    const account = createAccount();
    await account.connect();
    const fault = await telegram.faults.add({ kind: "drop-request", method: "getWebhookInfo", times: 2 });
    await ada.sendsAlbum([{}, {}], "look");
    for (const _ of ["lost", "lost"]) await passSecond(account);
    await fault.met();
    await account.clock.awaitAlarm(1000);
    expect(account.received).toEqual([]);
    expect(await joins(account, 1)).toEqual(["look"]);
  });

  test.each([
    [404, "Not Found: method not found"],
    [404, "Not Found"],
    [400, "Bad Request: unknown method"],
  ])("T57: is taken for whole after a second where a server cannot say what waits there: %i %s", async (code, text) => {
    const unknown = { ok: false, error_code: code, description: text };
    const account = createAccount({
      intercept: (method) => (method === "getWebhookInfo" ? { status: code, body: unknown } : undefined),
    });
    await account.connect();
    await ada.sendsAlbum([{}, {}], "look");
    expect(await joins(account, 1)).toEqual(["look"]);
  });

  test("is passed on at the bound with a sentence, and what comes later is a message of its own", async () => {
    let waiting: number | undefined = 2;
    const account = createAccount({ intercept: answerWaiting(() => waiting) });
    await account.connect();
    await ada.sendsAlbum([{}], "look");
    let passedMs = 0;
    while (passedMs < MAX_WAIT_MS) {
      expect(account.received).toEqual([]);
      passedMs += await passAsk(account, passedMs);
    }
    expect(await account.receives(1)).toEqual([`look\n${NOTE}`]);
    expect(await account.says(/^An album/)).toMatchObject({
      level: "warn",
      fields: { chat: "42" },
      message:
        "An album is passed on with 1 file: Telegram did not say in time that all of it has come; files of it that come later are a message of their own",
    });
    waiting = undefined;
    const [late] = await ada.sendsAlbum([{ kind: "document", name: "late.txt" }], "", "album of look");
    await joins(account, 2);
    expect(account.received[1]).toMatchObject({ id: String(late), text: "", attachments: [{ name: "late.txt" }] });
  });

  test("that was held before a restart is passed on at the same bound", async () => {
    const intercept = answerWaiting(() => 2);
    const dying = createAccount({ intercept });
    await dying.connect();
    await ada.sendsAlbum([{}], "look");
    await dying.stores(1);
    await dying.close();
    const next = createAccount({ intercept, cursor: dying.cursor });
    next.clock.advance(MAX_WAIT_MS - SLOW_AFTER_MS);
    await next.connect();
    let passedMs = 0;
    while (passedMs < SLOW_AFTER_MS) {
      expect(next.received).toEqual([]);
      passedMs += await passAsk(next, passedMs);
    }
    expect(await next.receives(1)).toEqual([`look\n${NOTE}`]);
  });

  test("waits for no more than waited when Telegram was asked: others that write without end do not keep it", async () => {
    let waiting = 2;
    const account = createAccount({ intercept: answerWaiting(() => waiting) });
    await account.connect();
    await ada.sendsAlbum([{}, {}], "look");
    await passSecond(account);
    waiting = 50;
    for (const name of ["Bob", "Cyd"]) {
      const other = await telegram.user({ id: name.length + name.charCodeAt(0), firstName: name });
      await other.says(name);
    }
    expect(await account.receives(2)).toEqual(["Bob", "Cyd"]);
    await passSecond(account);
    expect(await account.receives(3)).toEqual(["Bob", "Cyd", "look"]);
  });
});

test("of more than a hundred pieces that are held, the album that waits longest is passed on", async () => {
  const from = { id: 42, is_bot: false, first_name: "Ada" };
  const photo = [{ file_id: "f", file_unique_id: "u", width: 1, height: 1 }];
  const updates = Array.from({ length: 51 }, (_, album) => {
    const chat = { id: 1000 + album, type: "private", first_name: "Ada" };
    return [0, 1].map((piece) => {
      const id = 2 * album + piece + 1;
      const message = { message_id: id, date: 1, from, chat, photo, media_group_id: "g" };
      return { update_id: id, message: { ...message, caption: `album ${album}` } };
    });
  }).flat();
  let isGiven = false;
  const account = createAccount({
    intercept: (method) => {
      if (method !== "getUpdates" || isGiven) return undefined;
      isGiven = true;
      return { status: 200, body: { ok: true, result: updates } };
    },
  });
  await account.connect();
  expect(await account.receives(1)).toEqual(["album 0"]);
  expect(account.logged.filter(({ level }) => level === "warn")).toEqual([]);
  expect((await joins(account, 51)).toSorted()).toEqual(
    Array.from({ length: 51 }, (_, at) => `album ${at}`).toSorted(),
  );
  expect(account.received.every(({ attachments = [] }) => attachments.length === 2)).toBe(true);
});
