import { expect, test } from "vitest";
import { buildErrorFinding, type Finding, nameRepeats, splitCure } from "../../src/doctor/finding.ts";

const SECOND_POLLER =
  'Polling Telegram: refused with 409 "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"';
const WEBHOOK =
  'Polling Telegram: refused with 409 "Conflict: can\'t use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"';

test.each([
  ["a second poller", SECOND_POLLER, "stop the other program that uses this token"],
  ["a webhook", WEBHOOK, "delete the webhook"],
  ["a quoted quotation mark", 'refused with 400 "no \\"a; b\\" here; go"', "correct it"],
  ["two quoted values", 'received "a; b"', 'write "c" or "d; e"'],
  ["an inch", 'a disk of 5"', "free space"],
])("the cure is ours, and what a platform was quoted with stays whole: %s", (_name, text, cure) => {
  expect(splitCure(`${text}; ${cure}`, "warning")).toEqual({ level: "warning", text, cure });
});

test("a sentence without a cure is all text, though its quotation has a semicolon", () => {
  expect(buildErrorFinding("telegram/default", new Error(SECOND_POLLER))).toEqual({
    subject: "telegram/default",
    level: "error",
    text: SECOND_POLLER,
  });
});

test("a cause that several checks find is reported once, and the others name it", () => {
  const cause = { level: "error", text: "loading the plugin gull: importing it failed", cure: "correct it" } as const;
  const channels: Finding = { subject: "channels", ...cause };
  const other: Finding = { subject: "people", ...cause, text: "something else" };
  expect(nameRepeats([channels], [])).toEqual([channels]);
  expect(nameRepeats([{ subject: "agents", ...cause }, other], [channels])).toEqual([
    { subject: "agents", level: "warning", text: "not checked: channels has to be fixed first" },
    other,
  ]);
});
