import { formatAddress, type ShownRun } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { deriveButtonKey, parseButtonData } from "../../src/buttons/button-data.ts";
import { buildRunKeyboard } from "../../src/buttons/run-keyboard.ts";

const key = deriveButtonKey("7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s");
const now = 1_800_000_000_000;
const DAYS = 24 * 3_600_000;
const runId = "0b5a3f0e-6f3d-4a53-9f0b-3a1d6ef0a001";
const place = { channel: "telegram", account: "default", kind: "group", chat: "-1001234567890" } as const;
const childThread = formatAddress({ ...place, thread: "17" });

function build(run: Partial<ShownRun>, at: number = now) {
  return buildRunKeyboard({ runId, state: "told", ...run }, { key, now: at })?.inline_keyboard.flat() ?? [];
}

test.each<[string, Partial<ShownRun>, readonly string[]]>([
  ["one that works", { state: "working" }, ["Stop"]],
  ["one that works in a topic", { state: "working", childThread }, ["Stop"]],
  ["a result in one part", {}, []],
  ["a result in several parts", { parts: 2 }, ["Try again"]],
  ["one that has a topic", { childThread }, ["Open topic"]],
  ["one that has a topic and several parts", { childThread, parts: 3 }, ["Open topic", "Try again"]],
])("below %s", (_, run, labels) => {
  expect(build(run).map(({ text }) => text)).toEqual(labels);
});

test("the link leads to the topic; topics of private chats, chains of replies and other channels have none", () => {
  expect(build({ childThread })[0]).toEqual({ text: "Open topic", url: "https://t.me/c/1234567890/17" });
  for (const thread of [
    formatAddress({ ...place, kind: "dm", chat: "42", thread: "17" }),
    formatAddress({ ...place, thread: "re17" }),
    formatAddress({ ...place, channel: "discord", thread: "17" }),
  ])
    expect(build({ childThread: thread })).toEqual([]);
});

test("a press is for whoever asked, and for all where nobody is named", () => {
  const press = (askedBy: string | undefined, userId: string) => {
    const [button] = build({ state: "working", ...(askedBy !== undefined && { askedBy }) });
    const data = button !== undefined && "callback_data" in button ? button.callback_data : "";
    return parseButtonData(data, { key, userId, now }).kind;
  };
  expect([press("42", "42"), press("42", "43"), press(undefined, "43")]).toEqual(["order", "refused", "order"]);
});

test.each(["1000000000000000042", "operator", "042", ""])(
  "whoever asked as %j is no Telegram user: nobody presses",
  (askedBy) => {
    expect(buildRunKeyboard({ runId, state: "working", askedBy }, { key, now })).toBeUndefined();
    expect(build({ childThread, parts: 2, askedBy }).map(({ text }) => text)).toEqual(["Open topic"]);
  },
);

test("a button is good for a week, and the same all day, so that an edit made again changes nothing", () => {
  const midnight = Math.floor(now / DAYS) * DAYS;
  expect(build({ state: "working" }, midnight + 1)).toEqual(build({ state: "working" }, midnight + DAYS));
  const [button] = build({ state: "working" });
  const data = button !== undefined && "callback_data" in button ? button.callback_data : "";
  const kindAt = (at: number) => parseButtonData(data, { key, userId: "42", now: at }).kind;
  expect([kindAt(now + 7 * DAYS), kindAt(now + 8 * DAYS + 1)]).toEqual(["order", "refused"]);
});
