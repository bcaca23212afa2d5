import { afterEach, beforeEach, expect, it } from "vitest";
import {
  createManualClock,
  createTelegramEmulator,
  type Fault,
  type ManualClock,
  type TelegramEmulator,
  type TelegramUser,
} from "../src/index.ts";
import { type ApiAnswer, type CallApi, createBotClient, GROVE } from "./bot-client.ts";

let emulator: TelegramEmulator;
let clock: ManualClock;
let ada: TelegramUser;
let api: CallApi;

beforeEach(async () => {
  clock = createManualClock();
  emulator = await createTelegramEmulator({ clock, limits: { perSecond: 30, perChatPerSecond: 20 } });
  await emulator.addBot(GROVE);
  api = createBotClient(emulator.url);
  ada = await emulator.user({ id: 7, firstName: "Ada" });
  await ada.starts();
});
afterEach(() => emulator.close());

const send = (text: string): Promise<ApiAnswer> => api("sendMessage", { chat_id: 7, text });
const heard = async (): Promise<string[]> => (await ada.messages()).map(({ text }) => text);

it("T56: drops the answer of a message that was sent", async () => {
  const fault = await emulator.faults.add({ kind: "drop-answer", method: "sendMessage" });
  await expect(send("one")).rejects.toThrow();
  await fault.met();
  expect(await heard()).toEqual(["one"]);
  const [call] = await emulator.record({ method: "sendMessage" });
  expect(call).toMatchObject({ isAccepted: true, isDropped: true, fault: "drop-answer", answer: { status: 200 } });
  expect(await send("two")).toMatchObject({ ok: true });
});

it("T56: drops a request before it has any effect", async () => {
  await emulator.faults.add({ kind: "drop-request", chatId: 7, times: 2 });
  await expect(send("one")).rejects.toThrow();
  await expect(send("one")).rejects.toThrow();
  expect(await send("one")).toMatchObject({ ok: true });
  expect(await heard()).toEqual(["one"]);
  expect((await emulator.record()).map(({ isAccepted }) => isAccepted)).toEqual([false, false, true]);
});

const REFUSALS: [Fault, number, string][] = [
  [{ kind: "too-many-requests", retryAfterS: 7 }, 429, "Too Many Requests: retry after 7"],
  [{ kind: "unauthorized" }, 401, "Unauthorized"],
  [
    { kind: "conflict" },
    409,
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  ],
];
it.each(REFUSALS)("refuses with %o", async (fault, status, description) => {
  await emulator.faults.add(fault);
  expect(await send("one")).toMatchObject({ status, description });
  expect(await heard()).toEqual([]);
});

it("T27: tells how long to wait in the parameters of a 429", async () => {
  await emulator.faults.add({ kind: "too-many-requests", retryAfterS: 7 });
  expect((await send("one")).parameters).toEqual({ retry_after: 7 });
});

it.each([
  [{ kind: "server-error", status: 503 }, 503, "text/html", []],
  [{ kind: "server-error", isAccepted: true }, 502, "text/html", ["one"]],
  [{ kind: "garbage" }, 200, "application/json", []],
  [{ kind: "garbage", isAccepted: true }, 200, "application/json", ["one"]],
] satisfies [Fault, number, string, string[]][])(
  "T55: answers a page that is no answer for %o",
  async (fault, status, type, sent) => {
    await emulator.faults.add(fault);
    const answer = await fetch(`${emulator.url}/bot${GROVE.token}/sendMessage?chat_id=7&text=one`);
    expect(answer).toMatchObject({ status });
    expect(answer.headers.get("content-type")).toBe(type);
    await expect(answer.json()).rejects.toThrow();
    expect(await heard()).toEqual(sent);
  },
);

it("delays the answer, not the effect, by the emulator's clock", async () => {
  await emulator.faults.add({ kind: "delay", delayMs: 9000 });
  const sending = send("one");
  await ada.hears("one");
  const [waiting] = await emulator.record();
  expect(waiting?.answer).toBeUndefined();
  clock.advance(9000);
  expect(await sending).toMatchObject({ ok: true });
});

it("begins after `skip` calls, meets only its aim, and ends when removed", async () => {
  const fault = await emulator.faults.add({
    kind: "unauthorized",
    method: "sendMessage",
    chatId: 7,
    skip: 1,
    times: "always",
  });
  expect((await api("getMe")).ok).toBe(true);
  expect((await send("one")).ok).toBe(true);
  expect((await send("two")).ok).toBe(false);
  expect((await send("two")).ok).toBe(false);
  await fault.met(2);
  await fault.remove();
  expect((await send("three")).ok).toBe(true);
});

it("meets only calls whose text contains what it names", async () => {
  await emulator.faults.add({ kind: "unauthorized", method: "sendMessage", text: "two" });
  expect((await send("one")).ok).toBe(true);
  expect((await send("one and two")).ok).toBe(false);
  expect((await send("one and two")).ok).toBe(true);
});

it("holds a call before its effect until the gate is released", async () => {
  const gate = await emulator.faults.hold({ method: "sendMessage" });
  const sending = [send("one"), send("two")];
  await gate.reached(2);
  expect(await heard()).toEqual([]);
  await gate.release();
  await Promise.all(sending);
  expect((await heard()).toSorted()).toEqual(["one", "two"]);
  expect((await send("three")).ok).toBe(true);
});

it("holds a call between its effect and its answer, and cuts it", async () => {
  const gate = await emulator.faults.hold({ method: "sendMessage", at: "answer" });
  const sending = send("one");
  await gate.reached();
  expect(await heard()).toEqual(["one"]);
  await gate.cut();
  await expect(sending).rejects.toThrow();
  expect(await emulator.record()).toMatchObject([{ isAccepted: true, isDropped: true }]);
});

it("says how many calls came to a gate when too few did", async () => {
  const gate = await emulator.faults.hold();
  await expect(gate.reached(1, 0)).rejects.toMatchObject({ code: "not_reached" });
});

it("limits sends a second in one chat, and takes them again in the next", async () => {
  for (let at = 0; at < 20; at += 1) await send(String(at));
  expect(await send("one too many")).toMatchObject({ status: 429, parameters: { retry_after: 1 } });
  clock.advance(1000);
  expect((await send("again")).ok).toBe(true);
});

it("gives a poll only some of the updates, and the others with the next one", async () => {
  for (const text of ["one", "two"]) await ada.says(text);
  const poll = async () => (await api("getUpdates")).result;
  const all = await poll();
  await emulator.faults.add({ kind: "short-answer", method: "getUpdates", count: 1 });
  expect(await poll()).toEqual(Array.isArray(all) ? all.slice(0, 1) : undefined);
  expect(await poll()).toEqual(all);
});
