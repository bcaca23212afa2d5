import { callControl } from "@banyan/core";
import type { TelegramEmulator, TelegramUser } from "@banyan/emulator-telegram";
import { say } from "@banyan/runtime-demo";
import type { DeliveryRow } from "@banyan/store";
import { expect, test } from "vitest";
import { type Grove, type GroveOptions, openGrove } from "../stage/grove.ts";
import { createHurriedClock, createStandingClock } from "../stage/hurried-clock.ts";
import { openMarkupRefuser } from "../stage/markup-refuser.ts";
import { createListener, createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

interface Town {
  readonly telegram: TelegramEmulator;
  readonly grove: Grove;
  readonly ada: TelegramUser;
  texts(): Promise<readonly string[]>;
  /** Waits until a delivery is in the state, and gives it. */
  delivery(state: DeliveryRow["state"]): Promise<DeliveryRow>;
}

/** Ada, and an agent that says `heard: …` to her. */
async function openTown(ports: GroveOptions["ports"] = { clock: createHurriedClock(50) }): Promise<Town> {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, ports, ...createListener() });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  return {
    telegram,
    grove,
    ada,
    texts: async () => (await ada.messages()).map(({ text }) => text),
    delivery: (state) =>
      grove.until(`a delivery that is ${state}`, async () =>
        (await grove.deliveries()).find((delivery) => delivery.state === state),
      ),
  };
}

const MARKED = "(may be repeated)\nheard: one";

test.each([
  {
    what: "a rate limit is waited out, costs no attempt and leaves no mark",
    fault: { kind: "too-many-requests", retryAfterS: 1 },
    texts: ["heard: one", "heard: two"],
    states: ["sent", "sent"],
  },
  {
    what: "an answer whose confirmation is lost is sent again with the mark",
    fault: { kind: "drop-answer" },
    texts: ["heard: one", MARKED, "heard: two"],
    states: ["sent_maybe_repeated", "sent"],
  },
  {
    what: "an error of the server after it has taken the message is a repeat with the mark",
    fault: { kind: "server-error", status: 502, isAccepted: true },
    texts: ["heard: one", MARKED, "heard: two"],
    states: ["sent_maybe_repeated", "sent"],
  },
  {
    what: "a connection that breaks with the request is a repeat with the mark, as nobody can know",
    fault: { kind: "drop-request" },
    texts: [MARKED, "heard: two"],
    states: ["sent_maybe_repeated", "sent"],
  },
  {
    what: "an answer that nobody can read is a repeat with the mark",
    fault: { kind: "garbage", isAccepted: true },
    texts: ["heard: one", MARKED, "heard: two"],
    states: ["sent_maybe_repeated", "sent"],
  },
] as const)("$what, and what comes behind it keeps its place", async ({ fault, texts, states }) => {
  const town = await openTown();
  const { telegram, ada, grove } = town;
  const injected = await telegram.faults.add({ method: "sendMessage", ...fault });
  await ada.says("one");
  await injected.met();
  await ada.says("two");
  await ada.hears("heard: two");
  await grove.rests();
  expect(await town.texts()).toEqual(texts);
  const rows = await grove.deliveries();
  expect(rows.map(({ state }) => state)).toEqual(states);
  expect(rows[0]?.attempts).toBe(fault.kind === "too-many-requests" ? 1 : 2);
});

test("under a rate limit nothing is sent to the chat before its time, not even by the operator, and no other chat waits", async () => {
  const clock = createStandingClock();
  const { telegram, env } = await openTelegram([7, 8]);
  const grove = await openGrove({ env, ports: { clock }, ...createListener() });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const limit = { kind: "too-many-requests", retryAfterS: 30, chatId: 7 } as const;
  const injected = await telegram.faults.add({ method: "sendMessage", ...limit });
  await ada.says("one");
  await injected.met();
  await grove.until("the answer to wait", async () =>
    (await grove.deliveries())[0]?.state === "pending" ? true : undefined,
  );
  await bob.says("hello");
  await bob.hears("heard: hello");
  const [{ id } = { id: "" }] = await grove.deliveries();
  await callControl(grove.stateDir, "outbox-retry", { id });
  clock.advance(29_900);
  await bob.says("still there?");
  await bob.hears("heard: still there?");
  expect(await telegram.record({ method: "sendMessage", isAccepted: true })).toHaveLength(2);
  expect(await ada.messages()).toEqual([]);
  clock.advance(100);
  await ada.hears("heard: one");
});

test("a message to who has blocked the bot is undeliverable, visible with its reason, and goes out when the operator retries it", async () => {
  const { telegram, ada, grove, delivery } = await openTown();
  const gate = await telegram.faults.hold({ method: "sendMessage" });
  await ada.says("one");
  await gate.reached();
  await ada.blocks();
  await gate.release();
  const row = await delivery("undeliverable");
  expect(row).toMatchObject({ kind: "reply", address: "telegram/default/dm/7", attempts: 1 });
  expect(row.error).toMatch(
    /^Sending to Telegram chat 7: refused with 403 .*bot was blocked by the user.*; nothing can be sent/,
  );
  await ada.unblocks();
  expect(await ada.messages()).toEqual([]);
  expect(await callControl(grove.stateDir, "outbox-retry", { id: row.id.slice(0, 8) })).toEqual({ id: row.id });
  await ada.hears("heard: one", { once: true });
});

test("a delivery that waits for its next attempt goes out at once when the operator retries it", async () => {
  const { telegram, ada, grove, delivery } = await openTown({ clock: createStandingClock() });
  const injected = await telegram.faults.add({ kind: "drop-request", method: "sendMessage" });
  await ada.says("one");
  await injected.met();
  const { id } = await delivery("pending");
  await ada.says("two");
  await callControl(grove.stateDir, "outbox-retry", { id });
  await ada.hears(MARKED);
  await ada.hears("heard: two");
});

test("a delivery that the operator drops is never sent, stays on record, and those behind it go on", async () => {
  const { telegram, ada, grove, texts, delivery } = await openTown();
  const injected = await telegram.faults.add({ kind: "too-many-requests", retryAfterS: 20, method: "sendMessage" });
  await ada.says("one");
  await injected.met();
  const { id } = await delivery("pending");
  await callControl(grove.stateDir, "outbox-drop", { id });
  await ada.says("two");
  await ada.hears("heard: two");
  await grove.rests();
  expect(await texts()).toEqual(["heard: two"]);
  expect((await grove.deliveries()).map(({ state }) => state)).toEqual(["undeliverable", "sent"]);
});

test.each([
  ["an id that nobody has", "nobody", /No delivery matches "nobody"; banyan outbox list shows them/],
  ["one that was sent", undefined, /was to be retried: it is sent; only one that waits or has failed can be/],
  ["no id", "", /id/],
])("retrying %s is refused with a sentence", async (_, given, sentence) => {
  const { ada, grove } = await openTown();
  await ada.says("one");
  await ada.hears("heard: one");
  await grove.rests();
  const id = given ?? (await grove.deliveries())[0]?.id;
  await expect(callControl(grove.stateDir, "outbox-retry", { id })).rejects.toThrow(sentence);
});

const STORY = Array.from({ length: 700 }, (_, n) => `line ${n} of a long story`).join("\n");

test("a long answer whose second part is lost arrives in parts that join to it, the repeat marked, all in order", async () => {
  const { telegram, env } = await openTelegram([7]);
  const agent = createScriptedAgent(() => say(STORY));
  const grove = await openGrove({ env, ports: { clock: createHurriedClock(50) }, ...agent });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await telegram.faults.add({ kind: "drop-answer", method: "sendMessage", skip: 1 });
  await ada.says("tell me a story");
  await ada.hears(/line 699/);
  await grove.rests();
  const texts = (await ada.messages()).map(({ text }) => text);
  const [repeat] = texts.splice(2, 1);
  expect(repeat?.replace(/\n+/, "\n")).toBe(`(may be repeated)\n${texts[1]}`);
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.join("\n")).toBe(STORY);
});

test("parts behind one that cannot be delivered are not sent as fragments, and say why", async () => {
  const { telegram, env } = await openTelegram([7]);
  const grove = await openGrove({ env, ...createScriptedAgent(() => say(STORY)) });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const gate = await telegram.faults.hold({ method: "sendMessage", skip: 1 });
  await ada.says("tell me a story");
  await gate.reached();
  await ada.blocks();
  await gate.release();
  await grove.rests();
  const [first, second, third] = await grove.deliveries();
  expect(first).toMatchObject({ state: "sent" });
  expect(second).toMatchObject({ state: "undeliverable", error: expect.stringContaining("blocked by the user") });
  expect(third).toMatchObject({ state: "undeliverable", error: "Part 1 could not be delivered" });
  expect(await ada.messages()).toHaveLength(1);
});

test("attack 17: an answer whose markup the platform cannot read is sent once, plain", async () => {
  const { telegram, env } = await openTelegram([7]);
  const refuser = await openMarkupRefuser(telegram.url);
  const grove = await openGrove({ env: { ...env, TELEGRAM_API_BASE_URL: refuser }, ...createListener() });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("something **bold**");
  const heard = await ada.hears("heard: something bold", { once: true });
  expect(heard.entities).toEqual([]);
  await grove.rests();
  expect(await grove.deliveries()).toMatchObject([{ state: "sent", attempts: 1 }]);
});

test("through an outage of the whole platform nothing is lost: what was said and what is owed is caught up in order", async () => {
  const { telegram, ada, grove, texts } = await openTown();
  await ada.says("zero");
  await ada.hears("heard: zero");
  const outage = await telegram.faults.add({ kind: "drop-request", times: "always" });
  await telegram.sayAll(["one", "two", "three"].map((text) => ({ user: ada, text })));
  await outage.met(4);
  await grove.until("the account to be retrying", () =>
    grove.open.gateway.health().accounts["telegram/default"]?.state === "retrying" ? true : undefined,
  );
  await outage.remove();
  await ada.hears("heard: three");
  expect((await texts()).map((text) => text.replace("(may be repeated)\n", ""))).toEqual(
    ["zero", "one", "two", "three"].map((word) => `heard: ${word}`),
  );
  await ada.says("four");
  await ada.hears("heard: four");
  await grove.until("the account to run", () =>
    grove.open.gateway.health().accounts["telegram/default"]?.state === "running" ? true : undefined,
  );
});
