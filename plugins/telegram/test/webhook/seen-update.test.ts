import { beforeEach, describe, expect, test } from "vitest";
import { parsePollCursor } from "../../src/polling/poll-cursor.ts";
import { SEEN_TIMEOUT_MS } from "../../src/webhook/update-line.ts";
import type { TestAccount } from "../test-account.ts";
import { FIRST_ID, openWebhookTown, type WebhookTown } from "./webhook-town.ts";

const DAY_MS = 24 * 3_600_000;

let town: WebhookTown;

beforeEach(async () => {
  town = await openWebhookTown();
});

/** A process that has seen Ada's first message, of three, and dies before it is stored. Resolves with what it leaves. */
async function seeOneAndDie(): Promise<string | undefined> {
  const { webhook, ada, connect } = town;
  const begun = Promise.withResolvers<void>();
  const dying = await connect({
    store: async (messages) => {
      if (messages.length === 0) return;
      begun.resolve();
      await new Promise(() => undefined);
    },
  });
  await webhook.holds();
  for (const word of ["one", "two", "three"]) await ada.says(word);
  const first = webhook.delivers(FIRST_ID);
  await begun.promise;
  await dying.close();
  expect((await first).status).not.toBe(200);
  expect(dying.received).toEqual([]);
  return dying.cursor;
}

async function resume(cursor: string | undefined): Promise<TestAccount> {
  const { telegram, createAccount } = town;
  const asked = (await telegram.record({ method: "getWebhookInfo" })).length;
  const next = createAccount({ cursor });
  await next.connect();
  await telegram.called("getWebhookInfo", asked + 1);
  return next;
}

/** Resolves when something waits for what was seen. */
async function waits({ clock }: TestAccount): Promise<void> {
  await clock.awaitAlarm(SEEN_TIMEOUT_MS);
}

/** Lets the wait for a gap be over. */
async function passGap({ clock }: TestAccount): Promise<void> {
  await clock.awaitAlarm(2_000);
  clock.advance(2_000);
}

describe("T40: a message that was seen and not stored is waited for by what was written after it in its chat", () => {
  test.each([1, 5, 30])("where the process died, and it comes again %i s later", async (seconds) => {
    const next = await resume(await seeOneAndDie());
    const later = [town.webhook.delivers(FIRST_ID + 1), town.webhook.delivers(FIRST_ID + 2)];
    await waits(next);
    next.clock.advance(seconds * 1_000);
    expect(next.received).toEqual([]);
    expect((await town.webhook.delivers(FIRST_ID)).status).toBe(200);
    expect(await next.receives(3)).toEqual(["one", "two", "three"]);
    await Promise.all(later);
    expect(parsePollCursor(next.cursor)).not.toHaveProperty("seen");
    expect(next.logged.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test.each([1, 5, 30])("where it was refused, and it comes again %i s later", async (seconds) => {
    const { webhook, ada, connect } = town;
    let isFull = true;
    const account = await connect({
      store: async (messages) => {
        if (isFull && messages.length > 0) throw new Error("the disk is full");
      },
    });
    await webhook.holds();
    for (const word of ["one", "two"]) await ada.says(word);
    expect((await webhook.delivers(FIRST_ID)).status).toBe(503);
    isFull = false;
    const later = webhook.delivers(FIRST_ID + 1);
    await waits(account);
    account.clock.advance(seconds * 1_000);
    expect(account.received).toEqual([]);
    expect((await webhook.delivers(FIRST_ID)).status).toBe(200);
    expect(await account.receives(2)).toEqual(["one", "two"]);
    await later;
  });

  test("where it could not even be noted", async () => {
    const { webhook, ada, connect } = town;
    let isFull = false;
    const account = await connect({
      store: async () => {
        if (isFull) throw new Error("the disk is full");
      },
    });
    await webhook.holds();
    for (const word of ["one", "two"]) await ada.says(word);
    isFull = true;
    expect((await webhook.delivers(FIRST_ID)).status).toBe(503);
    expect(account.reports.at(-1)).toMatchObject({
      error: { message: expect.stringMatching(/messages were not noted/) },
    });
    isFull = false;
    const later = webhook.delivers(FIRST_ID + 1);
    await waits(account);
    account.clock.advance(5_000);
    expect(account.received).toEqual([]);
    await webhook.delivers(FIRST_ID);
    expect(await account.receives(2)).toEqual(["one", "two"]);
    await later;
  });

  test("and not by other chats, which wait for a gap as ever", async () => {
    const next = await resume(await seeOneAndDie());
    const bob = await town.telegram.user({ id: 43, firstName: "Bob" });
    await bob.says("from Bob");
    const posts = [1, 2, 3].map((at) => town.webhook.delivers(FIRST_ID + at));
    await waits(next);
    await passGap(next);
    expect(await next.receives(1)).toEqual(["from Bob"]);
    await town.webhook.delivers(FIRST_ID);
    expect(await next.receives(4)).toEqual(["from Bob", "one", "two", "three"]);
    await Promise.all(posts);
  });

  test("for five minutes; then the operator hears of it, and nobody waits for it again", async () => {
    const next = await resume(await seeOneAndDie());
    const later = [town.webhook.delivers(FIRST_ID + 1), town.webhook.delivers(FIRST_ID + 2)];
    await waits(next);
    next.clock.advance(SEEN_TIMEOUT_MS - 1);
    expect(next.received).toEqual([]);
    next.clock.advance(1);
    await passGap(next);
    expect(await next.receives(2)).toEqual(["two", "three"]);
    await Promise.all(later);
    expect(await next.says(/was not stored/)).toMatchObject({
      level: "warn",
      fields: { chat: "42", updateId: FIRST_ID },
      message:
        "Telegram posted a message that was not stored, and has not posted it again for 5 minutes: what was written after it is taken in first; if it still comes, it is answered late",
    });
    expect(parsePollCursor(next.cursor)).not.toHaveProperty("seen");
    expect((await town.webhook.delivers(FIRST_ID)).status).toBe(200);
    expect(await next.receives(3)).toEqual(["two", "three", "one"]);
  });

  test("for a day at most: Telegram has forgotten it then", async () => {
    const cursor = (await seeOneAndDie()) ?? "";
    const [{ at } = { at: 0 }] = parsePollCursor(cursor).seen ?? [];
    const next = await resume(cursor.replace(`@${at}`, `@${at - DAY_MS}`));
    const later = [town.webhook.delivers(FIRST_ID + 1), town.webhook.delivers(FIRST_ID + 2)];
    await passGap(next);
    expect(await next.receives(2)).toEqual(["two", "three"]);
    await Promise.all(later);
  });
});

test("T40: that a message was seen is written before the message, and gone with it", async () => {
  const { webhook, ada, connect } = town;
  const writes: unknown[] = [];
  const account = await connect({
    store: async (messages, cursor) => {
      const { seen } = parsePollCursor(cursor);
      if (messages.length > 0 || seen !== undefined)
        writes.push([messages.map(({ text }) => text), seen?.map(({ id, chat }) => [id, chat])]);
    },
  });
  await webhook.holds();
  await ada.says("one");
  await webhook.delivers(FIRST_ID);
  expect(account.received).toHaveLength(1);
  expect(writes).toEqual([
    [[], [[FIRST_ID, 42]]],
    [["one"], undefined],
  ]);
});
