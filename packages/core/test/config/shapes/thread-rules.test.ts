import { expect, it } from "vitest";
import { getThreadRules } from "../../../src/config/shapes/thread-rules.ts";
import { problemsOf, readWritten } from "../written-config.ts";

const HOUR_MS = 3_600_000;

it("has a default for each rule: a day idle, however old", () => {
  const defaults = { isEnabled: true, idleMs: 24 * HOUR_MS, fallback: "reply", nameFrom: "label" };
  expect(getThreadRules(undefined)).toEqual(defaults);
  expect(getThreadRules(readWritten({}).config.threads)).toEqual(defaults);
});

it("keeps what is written; off is no time", () => {
  const written = { enabled: false, idleHours: "off", maxAgeHours: 1.5, fallback: "refuse", nameFrom: "task" } as const;
  expect(getThreadRules(readWritten({ threads: written }).config.threads)).toEqual({
    isEnabled: false,
    maxAgeMs: 1.5 * HOUR_MS,
    fallback: "refuse",
    nameFrom: "task",
  });
});

it.each([
  [{ idleHours: 0 }, "threads.idleHours: Must be at least 1 (got 0)."],
  [{ idleHours: "never" }, 'threads.idleHours: Must be a number or off (got "never").'],
  [{ fallback: "mail" }, 'threads.fallback: Must be reply or refuse (got "mail").'],
  [{ nameFrom: "id" }, 'threads.nameFrom: Must be label or task (got "id").'],
])("refuses the rules %j", (threads, problem) => {
  expect(problemsOf({ threads })).toEqual([problem]);
});

it("an account keeps what differs there, and nothing else is filled in", () => {
  const threads = { idleHours: 2, fallback: "refuse", nameFrom: "task" };
  const { config } = readWritten({
    threads: { maxAgeHours: 9 },
    channels: { ferry: { accounts: { default: { threads } } } },
  });
  expect(config.channels.ferry?.accounts.default?.threads).toEqual(threads);
  const own = getThreadRules({ ...config.threads, ...config.channels.ferry?.accounts.default?.threads });
  expect(own).toEqual({
    isEnabled: true,
    idleMs: 2 * HOUR_MS,
    maxAgeMs: 9 * HOUR_MS,
    fallback: "refuse",
    nameFrom: "task",
  });
});

it.each([
  [{ idleHours: 0 }, "threads.idleHours: Must be at least 1 (got 0)."],
  [{ idleHour: 3 }, 'threads.idleHour: Unknown key; did you mean "idleHours"?'],
])("refuses the rules %j of an account", (threads, problem) => {
  expect(problemsOf({ channels: { ferry: { accounts: { default: { threads } } } } })).toEqual([
    `channels.ferry.accounts.default.${problem}`,
  ]);
});
