import { expect, test } from "vitest";
import { parsePollCursor } from "../../src/polling/poll-cursor.ts";
import { CHECK_EVERY_MS } from "../../src/webhook/webhook-watch.ts";
import { type TestAccount, TOKEN } from "../test-account.ts";
import { FIRST_ID, openWebhookTown } from "./webhook-town.ts";

const DELETED = /another program had taken the webhook away/;

/** So many updates stand in the line of the account: beside the watch there are the gap's time and one for each answer. */
async function waited({ clock }: TestAccount, updates: number): Promise<void> {
  for (let turns = 0; clock.pending < 2 + updates; turns += 1) {
    expect(turns).toBeLessThan(5_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("what people write is posted, stored and confirmed", async () => {
  const { telegram, webhook, ada, url, connect } = await openWebhookTown();
  const account = await connect();
  await ada.says("one");
  await ada.says("two");
  expect(await account.receives(2)).toEqual(["one", "two"]);
  expect((await webhook.settled(2)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await telegram.bot()).pendingUpdates).toBe(0);
  expect(parsePollCursor(account.cursor)).toMatchObject({ offset: 0, nextId: FIRST_ID + 2 });
  const [set, ...more] = await telegram.record({ method: "setWebhook" });
  expect(more).toEqual([]);
  expect(set?.params).toMatchObject({ url: `${url}/telegram/default/webhook`, max_connections: 40 });
});

test("T42: the list of updates is sent with each webhook that is set", async () => {
  const { telegram, connect } = await openWebhookTown();
  await connect();
  const [set] = await telegram.record({ method: "setWebhook" });
  expect(JSON.stringify(set?.params.allowed_updates)).toContain("my_chat_member");
});

test("T40: updates that come out of their order are stored in it", async () => {
  const { webhook, ada, connect } = await openWebhookTown();
  const account = await connect();
  await ada.says("one");
  await account.receives(1);
  await webhook.holds();
  for (const word of ["two", "three", "four"]) await ada.says(word);
  const later = [webhook.delivers(FIRST_ID + 3), webhook.delivers(FIRST_ID + 2)];
  expect((await webhook.delivers(FIRST_ID + 1)).status).toBe(200);
  expect((await Promise.all(later)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await account.receives(4)).toEqual(["one", "two", "three", "four"]);
});

test("T40: an update that does not come is waited for, for two seconds; late it is stored all the same", async () => {
  const { webhook, ada, connect } = await openWebhookTown();
  const account = await connect();
  await webhook.holds();
  for (const word of ["one", "two"]) await ada.says(word);
  const second = webhook.delivers(FIRST_ID + 1);
  await waited(account, 1);
  account.clock.advance(1_999);
  expect(account.received).toEqual([]);
  account.clock.advance(1);
  expect((await second).status).toBe(200);
  expect((await webhook.delivers(FIRST_ID)).status).toBe(200);
  expect(await account.receives(2)).toEqual(["two", "one"]);
});

test("T40: the very first update of an account is waited for behind none, for as long", async () => {
  const { webhook, ada, connect } = await openWebhookTown();
  const account = await connect({ cursor: undefined });
  await webhook.holds();
  for (const word of ["one", "two"]) await ada.says(word);
  const ends = [webhook.delivers(FIRST_ID + 1), webhook.delivers(FIRST_ID)];
  await waited(account, 2);
  account.clock.advance(2_000);
  expect((await Promise.all(ends)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await account.receives(2)).toEqual(["one", "two"]);
});

test("T39: what is not stored is not confirmed, and comes again after the time that is named", async () => {
  const { telegram, webhook, ada, connect } = await openWebhookTown();
  let isFull = true;
  const account = await connect({
    store: async (messages) => {
      if (isFull && messages.length > 0) throw new Error("the disk is full");
    },
  });
  await ada.says("one");
  expect((await webhook.settled(1))[0]).toMatchObject({ status: 503 });
  expect((await telegram.bot()).pendingUpdates).toBe(1);
  expect(account.reports.at(-1)).toMatchObject({ state: "retrying", error: { class: "definite" } });
  isFull = false;
  await telegram.passTime(2_000);
  await webhook.settled(2);
  expect(await account.receives(1)).toEqual(["one"]);
  expect(account.reports.at(-1)).toEqual({ state: "running" });
});

test("T36: what comes twice at once is one", async () => {
  const { webhook, ada, connect } = await openWebhookTown();
  const account = await connect();
  await webhook.holds();
  await ada.says("one");
  const ends = await Promise.all([webhook.delivers(FIRST_ID), webhook.delivers(FIRST_ID)]);
  expect(ends.map(({ status }) => status)).toEqual([200, 200]);
  expect(account.received.every(({ id }) => id === account.received[0]?.id)).toBe(true);
});

test("the next life has the same secret, and sets nothing anew", async () => {
  const { telegram, webhook, ada, connect, createAccount } = await openWebhookTown();
  const first = await connect();
  await first.close();
  expect(first.logged.at(-1)?.message).toMatch(/stays set: what people write waits there/);
  const second = createAccount({ cursor: first.cursor });
  await second.connect();
  await telegram.called("getWebhookInfo", 2);
  await ada.says("one");
  await second.receives(1);
  expect((await telegram.record({ method: "setWebhook" })).length).toBe(1);
  expect((await webhook.deliveries()).every(({ status }) => status !== 401)).toBe(true);
});

test("another secret is set at once, though the address is the same", async () => {
  const { telegram, connect } = await openWebhookTown();
  const first = await connect({ config: {} });
  await first.close();
  await connect({ cursor: first.cursor, config: { webhookSecret: "spring-2027" } });
  const set = await telegram.record({ method: "setWebhook" });
  expect(set.map(({ params }) => params.secret_token === "spring-2027")).toEqual([false, true]);
});

test("a webhook that another program takes away is put back once and told, and then left", async () => {
  const { telegram, connect } = await openWebhookTown();
  const account = await connect();
  const call = (method: string) => fetch(`${telegram.url}/bot${TOKEN}/${method}`).then((answer) => answer.text());
  await call("deleteWebhook");
  await account.clock.awaitAlarm();
  account.clock.advance(CHECK_EVERY_MS);
  await account.says(DELETED);
  await telegram.called("setWebhook", 2);
  await call("deleteWebhook");
  await account.clock.awaitAlarm();
  account.clock.advance(CHECK_EVERY_MS);
  const report = await account.reported(1);
  expect(report).toMatchObject({
    state: "retrying",
    error: { message: expect.stringMatching(/stop the other program/) },
  });
  expect((await telegram.record({ method: "setWebhook" })).length).toBe(2);
});

test("T33: another program's webhook is replaced, or left alone where the configuration says so", async () => {
  const { telegram, connect, createAccount } = await openWebhookTown();
  const call = (method: string) => fetch(`${telegram.url}/bot${TOKEN}/${method}`).then((answer) => answer.text());
  await call("setWebhook?url=https://other.example.org/hook");
  const shy = createAccount({ config: { webhook: "refuse" } });
  await shy.connect();
  expect((await shy.reported(1))?.error?.message).toMatch(/to other\.example\.org; stop the other program.*"delete"$/);
  expect((await telegram.record({ method: "setWebhook" })).length).toBe(1);
  await shy.close();
  const bold = await connect();
  expect(await bold.says(/and no longer to other\.example\.org/)).toMatchObject({ level: "warn" });
});

test("T34: a webhook that cannot be set now is set later", async () => {
  const { telegram, ada, createAccount } = await openWebhookTown();
  const description = "Conflict: terminated by other setWebhook";
  await telegram.faults.add({ kind: "refuse", method: "setWebhook", code: 409, description });
  const account = createAccount();
  await account.connect();
  expect(await account.reported(1)).toMatchObject({ state: "retrying", error: { class: "definite" } });
  account.clock.advance(await account.clock.awaitAlarm());
  expect(await account.reported(2)).toEqual({ state: "running" });
  await ada.says("one");
  expect(await account.receives(1)).toEqual(["one"]);
});

test("T29: a token that is revoked ends the account", async () => {
  const { telegram, connect } = await openWebhookTown();
  const account = await connect();
  await telegram.setBot({ trouble: "revoked" });
  await account.clock.awaitAlarm();
  account.clock.advance(CHECK_EVERY_MS);
  expect(await account.reported(1)).toMatchObject({ state: "failed", error: { class: "unauthorized" } });
});

test("that Telegram cannot deliver is told within a minute, with its own words, and that it can again", async () => {
  const { telegram, connect } = await openWebhookTown();
  let lost: object | undefined;
  const account = await connect({
    intercept: (method) =>
      method === "getWebhookInfo" && lost !== undefined ? { status: 200, body: { ok: true, result: lost } } : undefined,
  });
  const [set] = await telegram.record({ method: "setWebhook" });
  const trouble = { pending_update_count: 3, last_error_date: 4e9, last_error_message: "Connection timed out" };
  lost = { ...set?.params, ...trouble };
  await account.clock.awaitAlarm();
  account.clock.advance(CHECK_EVERY_MS);
  const cure = /cannot deliver 3 updates: Connection timed out; see that [\d.:]+ leads/;
  expect((await account.reported(1))?.error?.message).toMatch(cure);
  lost = undefined;
  await account.clock.awaitAlarm();
  account.clock.advance(CHECK_EVERY_MS);
  expect(await account.reported(2)).toEqual({ state: "running" });
});

test("an account that polls again takes its own old webhook away, also where it is told to refuse others", async () => {
  const { telegram, ada, connect, createAccount } = await openWebhookTown();
  const account = await connect();
  await account.close();
  const polling = createAccount({ cursor: account.cursor, config: { updates: "polling", webhook: "refuse" } });
  await polling.connect();
  await telegram.called("deleteWebhook", 1);
  await ada.says("one");
  expect(await polling.receives(1)).toEqual(["one"]);
});
