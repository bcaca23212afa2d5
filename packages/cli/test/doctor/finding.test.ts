import { expect, test } from "vitest";
import { buildErrorFinding, splitCure } from "../../src/doctor/finding.ts";

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
