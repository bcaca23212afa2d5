import type { BotChange } from "@banyan/emulator-telegram";
import { beforeEach, describe, expect, test } from "vitest";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";
import { buildOutbound, TestAccount, TOKEN } from "../test-account.ts";

let telegram: TelegramTown["telegram"];
let ada: TelegramTown["ada"];
let createAccount: TelegramTown["createAccount"];

beforeEach(async () => {
  ({ telegram, ada, createAccount } = await openTelegramTown());
});

async function connect(options: ConstructorParameters<typeof TestAccount>[1] = {}): Promise<TestAccount> {
  const account = createAccount(options);
  await account.connect();
  return account;
}

describe("an account that Telegram does not serve stops, with a cure", () => {
  test.each<[row: string, trouble: NonNullable<BotChange["trouble"]>, cure: RegExp]>([
    ["T29: revoked", "revoked", /@BotFather/],
    ["T29: a token that is none", "invalid-token", /@BotFather/],
    ["T29: unknown", "unknown", /@BotFather, or check apiBaseUrl/],
    ["T30: logged out", "logged-out", /use the server it moved to/],
    ["T30: closed", "closed", /wait ten minutes/],
    ["T31: at another server", "misdirected", /check apiBaseUrl/],
  ])("%s", async (_, trouble, cure) => {
    const account = await connect();
    await ada.says("one");
    await account.receives(1);
    await telegram.setBot({ trouble });
    await ada.says("two");
    const report = await account.reported(1);
    expect(report).toMatchObject({
      state: "failed",
      error: { class: "unauthorized", message: expect.stringMatching(cure) },
    });
    expect(account.clock.pending).toBe(0);
  });

  test("T59: frozen, when it is found out by a send", async () => {
    const account = createAccount();
    const { send } = await account.connect();
    await telegram.setBot({ trouble: "frozen" });
    await expect(send(buildOutbound(42, "x"))).rejects.toMatchObject({
      class: "unauthorized",
      message: expect.stringMatching(/appeal/),
    });
  });
});

describe("an answer that is not Telegram's", () => {
  const proxy = { status: 404, body: { ok: false, error_code: 404, description: "No such upstream" } };

  test("says nothing of the token, and is asked again when connecting", async () => {
    const account = new TestAccount(telegram, { intercept: () => proxy });
    await expect(account.connect()).rejects.toMatchObject({
      class: "definite",
      message: expect.stringMatching(/not how Telegram answers; check apiBaseUrl/),
    });
  });

  test("does not stop an account that polls", async () => {
    let isProxyBroken = true;
    const account = await connect({
      intercept: (method) => (method === "getUpdates" && isProxyBroken ? proxy : undefined),
    });
    await ada.says("one");
    const delayMs = await account.clock.awaitAlarm();
    expect(account.reports).toMatchObject([{ state: "retrying", error: { class: "definite" } }]);
    isProxyBroken = false;
    account.clock.advance(delayMs);
    expect(await account.receives(1)).toEqual(["one"]);
    expect((await account.reported(2))?.state).toBe("running");
  });
});

test("trouble is over with the first poll that works, also when nobody writes", async () => {
  await telegram.faults.add({ kind: "server-error", status: 502, method: "getUpdates" });
  const account = await connect();
  account.clock.advance(await account.clock.awaitAlarm());
  expect((await account.reported(2))?.state).toBe("running");
  const polls = await telegram.record({ method: "getUpdates" });
  expect(polls.map(({ params }) => params.timeout)).toEqual([30, 0]);
});

describe("T32: a second poller", () => {
  test("is given more and more room, never more than a minute, and the account goes on when it is gone", async () => {
    const conflicts = await telegram.faults.add({ kind: "conflict", method: "getUpdates", times: "always" });
    const account = await connect();
    await ada.says("one");
    const delays: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const delayMs = await account.clock.awaitAlarm();
      delays.push(Math.round(delayMs / 1000));
      if (round === 5) await conflicts.remove();
      account.clock.advance(delayMs);
    }
    expect(delays).toEqual([5, 10, 20, 40, 60, 60]);
    expect(await account.receives(1)).toEqual(["one"]);
    expect((await account.reported(2))?.state).toBe("running");
    expect(account.reports[0]).toMatchObject({
      state: "retrying",
      error: { message: expect.stringMatching(/stop the other program that uses this token$/) },
    });
  });

  test("that takes turns with us is not fought over", async () => {
    const conflict = { ok: false, error_code: 409, description: "Conflict: terminated by other getUpdates request" };
    let polls = 0;
    const account = await connect({
      intercept: (method) => {
        if (method !== "getUpdates") return undefined;
        polls += 1;
        return polls % 2 === 0 ? { status: 409, body: conflict } : undefined;
      },
    });
    const delays: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await ada.says(`message ${round}`);
      await account.receives(round);
      const delayMs = await account.clock.awaitAlarm();
      delays.push(Math.round(delayMs / 1000));
      account.clock.advance(delayMs);
    }
    expect(delays).toEqual([5, 10, 20]);
  });
});

test("T33: a webhook is left alone where the configuration says so, and reported", async () => {
  await fetch(`${telegram.url}/bot${TOKEN}/setWebhook?url=https://e.org/hook`).then((answer) => answer.text());
  const account = await connect({ config: { webhook: "refuse" } });
  await account.clock.awaitAlarm();
  expect(account.reports).toMatchObject([
    { state: "retrying", error: { message: expect.stringMatching(/webhook is set.*webhook: "delete"$/) } },
  ]);
  expect(await telegram.record({ method: "deleteWebhook" })).toEqual([]);
});

test("a long outage is caught up in order, a hundred at a time, each batch stored before the next", async () => {
  const texts = Array.from({ length: 250 }, (_, at) => `message ${at}`);
  await telegram.sayAll(texts.map((text) => ({ user: ada, text })));
  const sizes: number[] = [];
  const account = await connect({ store: async (messages) => void sizes.push(messages.length) });
  expect(await account.receives(250)).toEqual(texts);
  expect(sizes).toEqual([100, 100, 50]);
});
