import type { Fault } from "@banyan/emulator-telegram";
import { beforeEach, describe, expect, it, test } from "vitest";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";

let telegram: TelegramTown["telegram"];
let ada: TelegramTown["ada"];
let createAccount: TelegramTown["createAccount"];

beforeEach(async () => {
  ({ telegram, ada, createAccount } = await openTelegramTown());
});

describe("polling goes on", () => {
  const troubles: readonly (readonly [what: string, fault: Fault, delayMs: number, message: RegExp])[] = [
    ["a dropped request", { kind: "drop-request", method: "getUpdates" }, 500, /no answer from 127/],
    ["a dropped answer", { kind: "drop-answer", method: "getUpdates" }, 500, /no answer from 127/],
    ["a proxy's error page", { kind: "server-error", status: 502, method: "getUpdates" }, 500, /502/],
    ["an unreadable answer", { kind: "garbage", method: "getUpdates" }, 500, /is no JSON/],
    ["flood control", { kind: "too-many-requests", retryAfterS: 7, method: "getUpdates" }, 7_000, /retry after 7/],
    ["a second poller", { kind: "conflict", method: "getUpdates" }, 4_998, /stop the other program/],
  ];

  it.each(troubles)("after %s", async (_, fault, delayMs, message) => {
    await telegram.faults.add(fault);
    await ada.says("one");
    const account = createAccount();
    await account.connect();
    expect(await account.clock.awaitAlarm()).toBe(delayMs);
    expect(account.reports).toMatchObject([{ state: "retrying", error: { message: expect.stringMatching(message) } }]);
    account.clock.advance(delayMs - 1);
    expect(account.clock.pending).toBe(1);
    account.clock.advance(1);
    expect(await account.receives(1)).toEqual(["one"]);
    expect(await account.reported(2)).toEqual({ state: "running" });
  });

  test("after a webhook was deleted, once", async () => {
    const description = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first";
    let refusals = 2;
    const account = createAccount({
      intercept: (method) => {
        if (method !== "getUpdates" || refusals === 0) return undefined;
        refusals -= 1;
        return { status: 409, body: { ok: false, error_code: 409, description } };
      },
    });
    await account.connect();
    await ada.says("one");
    const delayMs = await account.clock.awaitAlarm();
    expect(delayMs).toBeGreaterThan(5_000);
    expect(await telegram.record({ method: "deleteWebhook" })).toMatchObject([
      { params: { drop_pending_updates: false } },
    ]);
    expect(account.reports.at(-1)?.error?.message).toContain("another program sets a webhook");
    account.clock.advance(delayMs);
    expect(await account.receives(1)).toEqual(["one"]);
  });

  test("with less and less haste, but not without end", async () => {
    const delays: number[] = [];
    await telegram.faults.add({ kind: "drop-request", method: "getUpdates", times: 8 });
    const account = createAccount();
    await account.connect();
    await ada.says("one");
    for (let round = 0; round < 8; round += 1) {
      const delayMs = await account.clock.awaitAlarm();
      delays.push(delayMs);
      account.clock.advance(delayMs);
    }
    await account.reported(2);
    expect(delays).toEqual([500, 1000, 1999, 3998, 7996, 15992, 29985, 29985]);
    expect(account.reports.map(({ state }) => state)).toEqual(["retrying", "running"]);
  });

  test("T35: unhurried at a server that answers nothing at once", async () => {
    const account = createAccount({
      intercept: (method) => (method === "getUpdates" ? { status: 200, body: { ok: true, result: [] } } : undefined),
    });
    await account.connect();
    expect(await account.clock.awaitAlarm()).toBe(500);
  });
});
