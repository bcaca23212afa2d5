import { expect, test } from "vitest";
import type { TestAccount } from "../test-account.ts";
import { FIRST_ID, openWebhookTown, type WebhookTown } from "../webhook/webhook-town.ts";
import { joins, passSecond } from "./album-second.ts";

const THREE = [{ content: "a" }, { content: "b" }, { content: "c" }];
const WHOLE = [{ text: "oaks", attachments: [{}, {}, {}] }];

async function openHeldTown(): Promise<WebhookTown & { deliver(...pieces: number[]): Promise<void> }> {
  const town = await openWebhookTown();
  return {
    ...town,
    async connect(options) {
      const account = await town.connect(options);
      await town.webhook.holds();
      return account;
    },
    async deliver(...pieces) {
      for (const piece of pieces) expect((await town.webhook.delivers(FIRST_ID + piece)).status).toBe(200);
    },
  };
}

/** So many posts are held back for an earlier one: an alarm for each answer, one for the gap and that of the watch. */
async function waitForPosts({ clock }: TestAccount, count: number): Promise<void> {
  while (clock.pending < 2 + count) await new Promise((resolve) => setImmediate(resolve));
}

test("T49: an album whose pieces are posted one after the other is one message, also over a death", async () => {
  const { ada, connect, createAccount, deliver } = await openHeldTown();
  const account = await connect();
  await ada.sendsAlbum(THREE, "oaks");
  // Telegram posts the next one of a chat when the one before is confirmed.
  await deliver(0, 1);
  expect(account.received).toEqual([]);
  const { cursor } = account;
  await account.close();
  const later = createAccount({ cursor });
  await later.connect();
  // The answer to the second was lost.
  await deliver(1, 2);
  later.clock.advance(999);
  expect(later.received).toEqual([]);
  await joins(later, 1);
  expect(later.received).toMatchObject(WHOLE);
  expect(later.cursor).not.toContain("pieces");
  // And to the last.
  await deliver(2);
  await ada.says("and elms");
  await deliver(3);
  expect(later.received.map(({ text }) => text)).toEqual(["oaks", "and elms"]);
});

test.each([1, 5, 30])(
  "T49: an album that was cut off is one message, when its pieces come again %i s apart",
  async (seconds) => {
    const { ada, connect, createAccount, webhook, deliver } = await openHeldTown();
    let writes = 0;
    const dying = await connect({
      store: async (_, cursor = "") => {
        if (!cursor.includes("pieces")) return;
        writes += 1;
        if (writes > 1) throw new Error("the process is killed");
      },
    });
    await ada.sendsAlbum(THREE, "oaks");
    await deliver(0);
    expect((await webhook.delivers(FIRST_ID + 1)).status).toBe(503);
    const { cursor } = dying;
    await dying.close();
    const next = createAccount({ cursor });
    await next.connect();
    for (const piece of [1, 2]) {
      for (let passed = 0; passed < seconds; passed += 1) await passSecond(next);
      await next.clock.awaitAlarm(1000);
      expect(next.received).toEqual([]);
      await deliver(piece);
    }
    await joins(next, 1);
    expect(next.received).toMatchObject(WHOLE);
    expect(next.logged.filter(({ level }) => level === "warn")).toEqual([]);
  },
);

test("T49: pieces that are posted together are stored in one write", async () => {
  const { ada, connect, webhook } = await openHeldTown();
  const writes: (readonly [messages: number, pieces: number])[] = [];
  const account = await connect({
    store: async (messages, cursor = "") => {
      writes.push([messages.length, cursor.split("media_group_id").length - 1]);
    },
  });
  await ada.sendsAlbum(THREE, "oaks");
  const ends = [webhook.delivers(FIRST_ID + 1), webhook.delivers(FIRST_ID + 2)];
  await account.clock.awaitAlarm(2000);
  await waitForPosts(account, 2);
  await Promise.all([...ends, webhook.delivers(FIRST_ID)]);
  await joins(account, 1);
  expect(account.received).toMatchObject(WHOLE);
  expect(writes.filter(([messages, pieces]) => messages + pieces > 0)).toEqual([
    [0, 3],
    [1, 0],
  ]);
});

test("T49: an album is whole when its chat goes on, and what comes after it stays after it", async () => {
  const { ada, connect, deliver } = await openHeldTown();
  const account = await connect();
  await ada.sendsAlbum([{ content: "a" }, { content: "b" }], "oaks");
  await ada.says("and elms");
  await deliver(0, 1, 2);
  expect(account.received).toMatchObject([{ text: "oaks", attachments: [{}, {}] }, { text: "and elms" }]);
});

test("T40, T49: a message that is posted before the last piece does not divide the album, also over a death", async () => {
  const { ada, connect, createAccount, deliver, webhook } = await openHeldTown();
  const account = await connect();
  await ada.sendsAlbum(THREE, "oaks");
  await ada.says("and elms");
  await deliver(0, 1);
  const ahead = webhook.delivers(FIRST_ID + 3);
  // The third piece is waited for, and then passed over.
  await account.clock.awaitAlarm(2000);
  account.clock.advance(2000);
  expect((await ahead).status).toBe(200);
  expect(await account.receives(1)).toEqual(["and elms"]);
  const { cursor } = account;
  await account.close();
  const next = createAccount({ cursor });
  await next.connect();
  await ada.says("and yews");
  await deliver(4);
  expect(await next.receives(1)).toEqual(["and yews"]);
  await deliver(2);
  await joins(next, 2);
  expect(next.received[1]).toMatchObject(WHOLE[0] ?? {});
});

test("T49: a piece that was not stored is not taken for one that was: it comes again and completes the album", async () => {
  const { ada, connect, deliver, webhook } = await openHeldTown();
  let isFull = false;
  const account = await connect({
    store: async () => {
      if (isFull) throw new Error("the disk is full");
    },
  });
  await ada.sendsAlbum(Array(10).fill({}), "ten");
  await deliver(0, 1, 2, 3, 4, 5, 6, 7, 8);
  isFull = true;
  expect((await webhook.delivers(FIRST_ID + 9)).status).toBe(503);
  isFull = false;
  await deliver(9);
  expect(account.received).toHaveLength(1);
  expect(account.received[0]?.attachments).toHaveLength(10);
});

test("T49: a message of an album that was not stored is stored with the next try", async () => {
  const { ada, connect, deliver } = await openHeldTown();
  let isFull = true;
  const account = await connect({
    store: async (messages) => {
      if (isFull && messages.length > 0) throw new Error("the disk is full");
    },
  });
  await ada.sendsAlbum(THREE, "oaks");
  await deliver(0, 1, 2);
  await passSecond(account);
  expect(await account.reported(1)).toMatchObject({ state: "retrying" });
  isFull = false;
  await joins(account, 1);
  expect(account.received).toMatchObject(WHOLE);
  await deliver(0, 1, 2);
  expect(account.received).toHaveLength(1);
});

test("T49: what is left of a posted album is joined by an account that polls again", async () => {
  const { telegram, ada, connect, createAccount, deliver } = await openHeldTown();
  const account = await connect();
  await ada.sendsAlbum(THREE, "oaks");
  await deliver(0, 1);
  await account.close();
  const polling = createAccount({ cursor: account.cursor, config: { updates: "polling" } });
  await polling.connect();
  await telegram.called("deleteWebhook", 1);
  await joins(polling, 1);
  expect(polling.received).toMatchObject(WHOLE);
  await ada.says("and elms");
  expect(await polling.receives(2)).toEqual(["oaks", "and elms"]);
});

test("T49: pieces that an earlier version has stored are joined", async () => {
  const { ada, connect, createAccount, deliver } = await openHeldTown();
  const account = await connect();
  await ada.sendsAlbum([{ content: "a" }, { content: "b" }], "oaks");
  await deliver(0, 1);
  const [rest, stored = ""] = (account.cursor ?? "").split("\npieces ");
  await account.close();
  const held = JSON.stringify(JSON.parse(stored).pieces);
  const next = createAccount({ cursor: `${rest}\npieces ${held}` });
  await next.connect();
  await joins(next, 1);
  expect(next.received).toMatchObject([{ text: "oaks", attachments: [{}, {}] }]);
});
