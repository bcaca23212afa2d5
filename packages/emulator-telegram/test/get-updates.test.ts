import { afterEach, beforeEach, expect, it } from "vitest";
import {
  connectTelegramEmulator,
  createManualClock,
  createTelegramEmulator,
  type ManualClock,
  type TelegramEmulator,
  type TelegramUser,
} from "../src/index.ts";
import { type ApiAnswer, type CallApi, createBotClient, GROVE, list, pick } from "./bot-client.ts";

let emulator: TelegramEmulator;
let clock: ManualClock;
let ada: TelegramUser;
let api: CallApi;

const start = async (strictPacing: boolean): Promise<void> => {
  clock = createManualClock();
  emulator = await createTelegramEmulator({ clock, strictPacing, random: () => 0 });
  await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  ada = await emulator.user({ id: 7, firstName: "Ada" });
};
beforeEach(() => start(false));
afterEach(() => emulator.close());

const texts = ({ result }: ApiAnswer): unknown[] => list(result).map((update) => pick(update, "message", "text"));
const sayNumbers = async (count: number): Promise<void> => {
  await emulator.sayAll(Array.from({ length: count }, (_, at) => ({ user: ada, text: String(at + 1) })));
};
const FIRST = 100_000_000;

it("T36: gives an update again until a higher offset confirms it", async () => {
  await sayNumbers(3);
  const all = await api("getUpdates");
  expect(list(all.result).map((update) => pick(update, "update_id"))).toEqual([FIRST, FIRST + 1, FIRST + 2]);
  expect(texts(await api("getUpdates"))).toEqual(["1", "2", "3"]);
  expect(texts(await api("getUpdates", { offset: FIRST + 1 }))).toEqual(["2", "3"]);
  expect(texts(await api("getUpdates"))).toEqual(["2", "3"]);
  expect(texts(await api("getUpdates", { offset: FIRST + 3 }))).toEqual([]);
});

it("gives the last ones for a negative offset and forgets those before", async () => {
  await sayNumbers(5);
  expect(texts(await api("getUpdates", { offset: -2 }))).toEqual(["4", "5"]);
  expect(texts(await api("getUpdates"))).toEqual(["4", "5"]);
});

it("gives at most `limit`, and never more than 100", async () => {
  await sayNumbers(120);
  expect(texts(await api("getUpdates", { limit: 2 }))).toEqual(["1", "2"]);
  expect(texts(await api("getUpdates", { limit: 500 })).length).toBe(100);
});

it("T35: ends a poll with nothing after its timeout, which is 50 s at most", async () => {
  const poll = api("getUpdates", { timeout: 3000 });
  await polling();
  clock.advance(49_999);
  expect((await emulator.bot()).isPolling).toBe(true);
  clock.advance(1);
  expect(await poll).toMatchObject({ ok: true, result: [] });
});

it("T32: ends an earlier poll with a conflict when a second one comes", async () => {
  const first = api("getUpdates", { timeout: 50 });
  await polling();
  const second = api("getUpdates", { timeout: 50 });
  expect(await first).toMatchObject({
    status: 409,
    description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  });
  await ada.says("hello");
  expect(texts(await second)).toEqual(["hello"]);
});

it("loses nothing and has no conflict when a poller dies", async () => {
  const death = new AbortController();
  const dying = fetch(`${emulator.url}/bot${GROVE.token}/getUpdates?timeout=50`, { signal: death.signal });
  await polling();
  death.abort();
  await expect(dying).rejects.toThrow();
  while ((await emulator.bot()).isPolling) await api("getMe");
  await ada.says("hello");
  expect(texts(await api("getUpdates", { timeout: 50 }))).toEqual(["hello"]);
});

it("T42: gives only the kinds that were asked for, until asked otherwise", async () => {
  await api("getUpdates", { allowed_updates: ["edited_message"] });
  const id = await ada.says("helo");
  await ada.edits(id, "hello");
  expect(list((await api("getUpdates")).result).map((update) => pick(update, "edited_message", "text"))).toEqual([
    "hello",
  ]);
  expect(pick((await api("getWebhookInfo")).result, "allowed_updates")).toEqual(["edited_message"]);
  await api("getUpdates", { offset: -1, allowed_updates: [] });
  await ada.says("again");
  expect(texts(await api("getUpdates")).at(-1)).toBe("again");
});

it("T37: forgets updates after 24 hours", async () => {
  await ada.says("old");
  clock.advance(12 * 60 * 60 * 1000);
  await ada.says("new");
  clock.advance(12 * 60 * 60 * 1000 + 1);
  expect(texts(await api("getUpdates"))).toEqual(["new"]);
});

it("T35: slows down a hurried bot where pacing is strict", async () => {
  await emulator.close();
  await start(true);
  await sayNumbers(2);
  expect(texts(await api("getUpdates"))).toEqual(["1", "2"]);
  expect(texts(await api("getUpdates"))).toEqual(["1"]);
  await api("getUpdates", { offset: FIRST + 2 });
  const held = api("getUpdates", { offset: FIRST + 2 });
  await polling();
  clock.advance(3000);
  expect(texts(await held)).toEqual([]);
});

it("T32: tells each poller that lost, the second one within 3 s only after that time", async () => {
  const first = api("getUpdates", { timeout: 50 });
  await polling();
  const second = api("getUpdates", { timeout: 50 });
  expect(await first).toMatchObject({ status: 409 });
  await polling();
  const third = api("getUpdates", { timeout: 50 });
  while ((await emulator.record({ method: "getUpdates" })).length < 3) await api("getMe");
  let isTold = false;
  const told = second.finally(() => {
    isTold = true;
  });
  clock.advance(2999);
  await api("getMe");
  expect(isTold).toBe(false);
  clock.advance(1);
  expect(await told).toMatchObject({ status: 409, description: expect.stringContaining("other getUpdates request") });
  await ada.says("hello");
  expect(texts(await third)).toEqual(["hello"]);
});

it("T33: refuses a poll while a webhook is set, and ends one that waits", async () => {
  const waiting = api("getUpdates", { timeout: 50 });
  await polling();
  expect(await api("setWebhook", { url: "https://e.org/hook" })).toMatchObject({ ok: true });
  expect((await waiting).description).toBe("Conflict: terminated by setWebhook request");
  const refused = api("getUpdates");
  while ((await emulator.record({ method: "getUpdates" })).length < 2) await api("getMe");
  await ada.says("kept");
  clock.advance(3000);
  expect(await refused).toMatchObject({
    status: 409,
    description:
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  });
  expect(pick((await api("getWebhookInfo")).result, "url")).toBe("https://e.org/hook");
  await api("deleteWebhook");
  expect(texts(await api("getUpdates"))).toEqual(["kept"]);
});

it.each([
  ["an address that is no https", { url: "http://e.org" }, "bad webhook: An HTTPS URL must be provided for webhook"],
  ["a secret with blanks", { url: "https://e.org", secret_token: "a b" }, "secret token contains unallowed characters"],
])("T41: refuses a webhook with %s", async (_, params, reason) => {
  expect((await api("setWebhook", params)).description).toBe(`Bad Request: ${reason}`);
});

it("T37: drops what is older than a day without a word, also where a test puts the clock forward from outside", async () => {
  await ada.says("old");
  await connectTelegramEmulator(emulator.url).passTime(24 * 60 * 60 * 1000 + 1);
  expect(await api("getUpdates")).toMatchObject({ ok: true, result: [] });
});

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

it.each([
  ["lower", [0.5, 0.1], 180_000_000],
  ["higher", [0.5, 0.9], 820_000_000],
])("T38: goes on at a random update id after a week without updates, here a %s one", async (_, randoms, next) => {
  await emulator.close();
  const given = [...randoms];
  clock = createManualClock();
  emulator = await createTelegramEmulator({ clock, random: () => given.shift() ?? 0 });
  await emulator.addBot(GROVE);
  ada = await emulator.user({ id: 7, firstName: "Ada" });
  api = createBotClient(emulator.url);
  await ada.says("one");
  clock.advance(WEEK_MS - 1);
  await ada.says("two");
  const [two] = list((await api("getUpdates")).result);
  expect(pick(two, "update_id")).toBe(500_000_001);
  clock.advance(WEEK_MS);
  await ada.says("three");
  const offset = 500_000_002;
  const again = await api("getUpdates", { offset });
  // An offset far ahead of the queue counts for nothing, one below it confirms nothing: either way it is given.
  expect(list(again.result).map((update) => pick(update, "update_id"))).toEqual([next]);
  expect(texts(await api("getUpdates", { offset }))).toEqual(["three"]);
  expect(texts(await api("getUpdates", { offset: next + 1 }))).toEqual([]);
});

it("wakes a poll whose timeout is passed by hand", async () => {
  const poll = api("getUpdates", { timeout: 50 });
  await polling();
  await emulator.passTime(50_000);
  expect(await poll).toMatchObject({ ok: true, result: [] });
});

/** The clock stands still, so a call of our own that the emulator answers tells us that it works on. */
async function polling(): Promise<void> {
  while (!(await emulator.bot()).isPolling) await api("getMe");
}
