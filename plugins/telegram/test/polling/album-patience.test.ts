import { beforeEach, describe, expect, test } from "vitest";
import { parsePollCursor } from "../../src/polling/poll-cursor.ts";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";
import type { TestAccount } from "../test-account.ts";

let ada: TelegramTown["ada"];
let createAccount: TelegramTown["createAccount"];

beforeEach(async () => {
  ({ ada, createAccount } = await openTelegramTown());
});

/** Lets the wait for an album be over. */
async function wait(account: TestAccount): Promise<void> {
  expect(await account.clock.awaitAlarm()).toBe(1000);
  account.clock.advance(1000);
}

function namesOf(account: TestAccount): readonly (readonly (string | undefined)[])[] {
  return account.received.map(({ attachments = [] }) => attachments.map(({ name }) => name));
}

describe("T49: an album", () => {
  test("is one message with its caption and all its files, whenever its pieces come within a second", async () => {
    const account = createAccount();
    await account.connect();
    const [first] = await ada.sendsAlbum([{}, { kind: "document", name: "a.txt" }], "look");
    expect(await account.clock.awaitAlarm()).toBe(1000);
    await ada.sendsAlbum([{ kind: "video", name: "b.mp4" }], "", "album of look");
    await wait(account);
    expect(await account.receives(1)).toEqual(["look"]);
    expect(namesOf(account)).toEqual([["photo.jpg", "a.txt", "b.mp4"]]);
    expect(account.received[0]?.id).toBe(String(first));
  });

  test("lets what was said before it go ahead, and keeps the order behind it", async () => {
    const account = createAccount();
    await ada.says("before");
    await ada.sendsAlbum([{}, {}], "look");
    await ada.says("behind");
    await account.connect();
    expect(await account.receives(1)).toEqual(["before"]);
    await wait(account);
    expect(await account.receives(3)).toEqual(["before", "look", "behind"]);
  });

  test("is confirmed only when it is stored as a whole, so a death in between loses and splits nothing", async () => {
    const dying = createAccount();
    await ada.says("before");
    await ada.sendsAlbum([{ kind: "document", name: "a.txt" }], "look");
    await dying.connect();
    await dying.receives(1);
    expect(await dying.clock.awaitAlarm()).toBe(1000);
    await dying.close();
    const { offset } = parsePollCursor(dying.cursor);
    await ada.sendsAlbum([{ kind: "document", name: "b.txt" }], "", "album of look");
    const next = createAccount({ cursor: dying.cursor });
    await next.connect();
    await wait(next);
    expect(await next.receives(1)).toEqual(["look"]);
    expect(namesOf(next)).toEqual([["a.txt", "b.txt"]]);
    expect(parsePollCursor(next.cursor).offset).toBe(offset + 2);
  });

  test("that is given again, because a death kept it from being confirmed, has the same id again", async () => {
    const stored: (string | undefined)[] = [];
    await ada.sendsAlbum([{}, {}], "look");
    for (const _ of ["dying", "next"]) {
      const arrived = Promise.withResolvers<void>();
      const account = createAccount({
        store: ([message]) => {
          stored.push(message?.id);
          arrived.resolve();
          return new Promise(() => undefined);
        },
      });
      await account.connect();
      await wait(account);
      await arrived.promise;
      await account.close();
    }
    expect(stored).toHaveLength(2);
    expect(new Set(stored).size).toBe(1);
  });

  test("whose piece comes late leaves it a message of its own: nothing is lost", async () => {
    const account = createAccount();
    await account.connect();
    await ada.sendsAlbum([{}, {}], "look");
    await wait(account);
    await account.receives(1);
    const [late] = await ada.sendsAlbum([{ kind: "document", name: "late.txt" }], "", "album of look");
    await wait(account);
    await account.receives(2);
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
    await wait(account);
    await account.receives(1);
    await ada.edits(first, "look here");
    await ada.says("then");
    expect(await account.receives(2)).toEqual(["look", "then"]);
  });
});
