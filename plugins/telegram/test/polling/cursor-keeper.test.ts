import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { STARTED_AT } from "@banyan/plugin-sdk/kit";
import { beforeEach, describe, expect, test } from "vitest";
import { formatPollCursor, parsePollCursor } from "../../src/polling/poll-cursor.ts";
import { openTelegramTown, type TelegramTown } from "../telegram-town.ts";
import { TestAccount, TOKEN } from "../test-account.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let telegram: TelegramTown["telegram"];
let ada: TelegramTown["ada"];
let createAccount: TelegramTown["createAccount"];

beforeEach(async () => {
  ({ telegram, ada, createAccount } = await openTelegramTown());
});

/** Telegram with nothing new, which answers at once; `polls` resolves when it was asked so often. */
function createSilence() {
  let asked = 0;
  let watchers: (() => void)[] = [];
  return {
    intercept: (method: string) => {
      if (method !== "getUpdates") return undefined;
      asked += 1;
      for (const look of watchers.splice(0)) look();
      return { status: 200, body: { ok: true, result: [] } };
    },
    polls: (count: number) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (asked >= count) resolve();
          else watchers = [...watchers, look];
        };
        look();
      }),
  };
}

describe("T37: after more than a day without a poll", () => {
  test("people are asked to write again, in the log and in the status", async () => {
    const pollAt = STARTED_AT - 50 * HOUR_MS;
    const account = createAccount({ cursor: formatPollCursor({ offset: 5, updateAt: pollAt, pollAt }) });
    await account.connect();
    const told = await account.says(/24 hours/);
    expect(told).toMatchObject({
      level: "warn",
      message:
        "Telegram keeps messages for 24 hours: what was written between 2026-01-31 00:40 UTC and 2026-02-01 02:40 UTC is lost there; ask people to write again",
    });
    expect(account.reports).toMatchObject([{ state: "running", error: { message: told.message } }]);
    const [first] = await telegram.record({ method: "getUpdates" });
    expect(first?.params).toMatchObject({ timeout: 0 });
  });

  test("it is said also where the machine slept in between", async () => {
    const silence = createSilence();
    const account = createAccount(silence);
    await account.connect();
    await account.clock.awaitAlarm();
    account.clock.advance(2 * DAY_MS);
    await account.says(/24 hours/);
  });

  test("a shorter stop is nothing to speak of", async () => {
    const pollAt = STARTED_AT - 23 * HOUR_MS;
    const account = createAccount({ cursor: formatPollCursor({ offset: 5, updateAt: pollAt, pollAt }) });
    await account.connect();
    await ada.says("one");
    await account.receives(1);
    expect(account.reports).toEqual([]);
  });
});

describe("T38: after a week without updates", () => {
  test("the poll asks for whatever there is, and the next one confirms it", async () => {
    const updateAt = STARTED_AT - 7 * DAY_MS;
    const account = createAccount({
      cursor: formatPollCursor({ offset: 2_000_000_000, updateAt, pollAt: STARTED_AT - 1000 }),
    });
    await ada.says("one");
    const confirming = await telegram.faults.hold({ method: "getUpdates", skip: 1 });
    await account.connect();
    expect(await account.receives(1)).toEqual(["one"]);
    await confirming.reached();
    const [first, second] = await telegram.record({ method: "getUpdates" });
    expect(first?.params).toMatchObject({ offset: 0 });
    expect(second?.params.offset).toBe(parsePollCursor(account.cursor).offset);
    await confirming.release();
  });
});

test("T38: what is written after a week of rest is heard, though its id is one that is long confirmed", async () => {
  const firstIds = [500_000_000, 499_999_998];
  const random = () => ((firstIds.shift() ?? 1) - 100_000_000) / 800_000_000;
  const resting = await createTelegramEmulator({ random });
  await resting.addBot({ token: TOKEN, username: "grove_bot" });
  const person = await resting.user({ id: 42, firstName: "Ada" });
  const before = new TestAccount(resting);
  await before.connect();
  await person.says("one");
  await before.receives(1);
  await before.close();

  const restMs = 8 * DAY_MS;
  await resting.passTime(restMs);
  await person.says("two");
  const after = new TestAccount(resting, { cursor: before.cursor });
  after.clock.advance(restMs);
  await after.connect();
  expect(await after.receives(1)).toEqual(["two"]);
  expect(await after.says(/24 hours/)).toMatchObject({ level: "warn" });
  await after.close();
  await resting.close();
});

describe("an idle account", () => {
  test("keeps the time of its last poll, once an hour and at its end", async () => {
    const silence = createSilence();
    const kept: (string | undefined)[] = [];
    const account = createAccount({ ...silence, store: async (_, cursor) => void kept.push(cursor) });
    await account.connect();
    for (let poll = 1; poll <= 20; poll += 1) {
      await silence.polls(poll);
      const delayMs = await account.clock.awaitAlarm();
      account.clock.advance(poll === 10 ? HOUR_MS : delayMs);
    }
    await silence.polls(21);
    await account.clock.awaitAlarm();
    const times = kept.map((cursor) => (parsePollCursor(cursor).pollAt ?? 0) - STARTED_AT);
    expect(times).toEqual([0, HOUR_MS + 4_500]);
    await account.close();
    expect(parsePollCursor(kept.at(-1)).pollAt).toBe(STARTED_AT + HOUR_MS + 4_500 + 10 * 500);
  });

  test("is not troubled when that cannot be stored", async () => {
    const silence = createSilence();
    const account = createAccount({
      ...silence,
      store: async () => {
        throw new Error("disk full");
      },
    });
    await account.connect();
    await silence.polls(1);
    account.clock.advance(await account.clock.awaitAlarm());
    await silence.polls(2);
    expect(account.reports).toEqual([]);
    expect(await account.says(/was not stored/)).toMatchObject({ level: "debug" });
    await account.clock.awaitAlarm();
  });
});
