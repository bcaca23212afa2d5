import { expect, test } from "vitest";
import { FIRST_ID, openWebhookTown } from "./webhook-town.ts";

test("T49: an album whose pieces are posted one behind the other is one message, also over a death", async () => {
  const { webhook, ada, connect, createAccount } = await openWebhookTown();
  const account = await connect();
  await webhook.holds();
  await ada.sendsAlbum([{ content: "a" }, { content: "b" }, { content: "c" }], "oaks");
  // Telegram posts the next one of a chat when the one before is confirmed.
  for (const piece of [0, 1]) expect((await webhook.delivers(FIRST_ID + piece)).status).toBe(200);
  expect(account.received).toEqual([]);
  const { cursor } = account;
  await account.close();
  const later = createAccount({ cursor });
  await later.connect();
  // The answer to the second was lost.
  for (const piece of [1, 2]) expect((await webhook.delivers(FIRST_ID + piece)).status).toBe(200);
  later.clock.advance(999);
  expect(later.received).toEqual([]);
  later.clock.advance(1);
  await later.receives(1);
  expect(later.received).toMatchObject([{ text: "oaks", attachments: [{}, {}, {}] }]);
  expect(later.cursor).not.toContain("pieces");
  // And to the last.
  expect((await webhook.delivers(FIRST_ID + 2)).status).toBe(200);
  await ada.says("and elms");
  expect((await webhook.delivers(FIRST_ID + 3)).status).toBe(200);
  expect(later.received.map(({ text }) => text)).toEqual(["oaks", "and elms"]);
});

test("T49: an album is whole when its chat goes on, and what comes behind it stays behind it", async () => {
  const { webhook, ada, connect } = await openWebhookTown();
  const account = await connect();
  await webhook.holds();
  await ada.sendsAlbum([{ content: "a" }, { content: "b" }], "oaks");
  await ada.says("and elms");
  for (const update of [0, 1, 2]) expect((await webhook.delivers(FIRST_ID + update)).status).toBe(200);
  expect(account.received).toMatchObject([{ text: "oaks", attachments: [{}, {}] }, { text: "and elms" }]);
});

test("T49: a piece that was not stored is not taken for one that was: it comes again and is stored then", async () => {
  const { webhook, ada, connect, createAccount } = await openWebhookTown();
  let isFull = false;
  const account = await connect({
    store: async () => {
      if (isFull) throw new Error("the disk is full");
    },
  });
  await webhook.holds();
  await ada.sendsAlbum([{ content: "a" }, { content: "b" }], "oaks");
  expect((await webhook.delivers(FIRST_ID)).status).toBe(200);
  isFull = true;
  expect((await webhook.delivers(FIRST_ID + 1)).status).toBe(503);
  isFull = false;
  expect((await webhook.delivers(FIRST_ID + 1)).status).toBe(200);
  const { cursor } = account;
  await account.close();
  const later = createAccount({ cursor });
  await later.connect();
  later.clock.advance(1_000);
  await later.receives(1);
  expect(later.received).toMatchObject([{ text: "oaks", attachments: [{}, {}] }]);
});

test("T49: an album that was not stored is stored with the next try, once", async () => {
  const { webhook, ada, connect } = await openWebhookTown();
  let isFull = true;
  const account = await connect({
    store: async (messages) => {
      if (isFull && messages.length > 0) throw new Error("the disk is full");
    },
  });
  await webhook.holds();
  await ada.sendsAlbum([{ content: "a" }, { content: "b" }], "oaks");
  for (const piece of [0, 1]) expect((await webhook.delivers(FIRST_ID + piece)).status).toBe(200);
  account.clock.advance(1_000);
  expect(await account.reported(1)).toMatchObject({ state: "retrying" });
  isFull = false;
  await account.clock.awaitAlarm(1_000);
  account.clock.advance(1_000);
  await account.receives(1);
  for (const piece of [0, 1]) expect((await webhook.delivers(FIRST_ID + piece)).status).toBe(200);
  expect(account.received).toMatchObject([{ text: "oaks", attachments: [{}, {}] }]);
});

test("T49: what is left of a posted album is joined by an account that polls again", async () => {
  const { telegram, webhook, ada, connect, createAccount } = await openWebhookTown();
  const account = await connect();
  await webhook.holds();
  await ada.sendsAlbum([{ content: "a" }, { content: "b" }], "oaks");
  for (const piece of [0, 1]) expect((await webhook.delivers(FIRST_ID + piece)).status).toBe(200);
  await account.close();
  const polling = createAccount({ cursor: account.cursor, config: { updates: "polling" } });
  await polling.connect();
  expect(await polling.receives(1)).toEqual(["oaks"]);
  await telegram.called("deleteWebhook", 1);
  await ada.says("and elms");
  expect(await polling.receives(2)).toEqual(["oaks", "and elms"]);
});
