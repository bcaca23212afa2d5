import { expect, it } from "vitest";
import { isChannelId, normalizeChannelId } from "../../../src/sessions/keys/channel-id.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";

const RESERVED = "agent dm direct group channel thread subagent acp cron hook main global unknown person".split(" ");

it.each([
  [" Telegram ", "telegram"],
  ["x", "x"],
  ["a-1", "a-1"],
  ["a".repeat(32), "a".repeat(32)],
])("reads the channel %j as %j", (text, channel) => {
  expect(normalizeChannelId(text)).toBe(channel);
  expect(isChannelId(channel)).toBe(true);
});

it.each([undefined, null, "", " ", "1a", "-a", "Tele_gram", "a.b", "a:b", "é", "a".repeat(33)])(
  "refuses %j and repairs nothing",
  (text) => {
    expect(codeOf(() => normalizeChannelId(text))).toBe("invalid_channel");
    expect(messageOf(() => normalizeChannelId(text))).toMatch(MESSAGE_FORM);
  },
);

it.each(RESERVED)("refuses the reserved word %s", (word) => {
  expect(codeOf(() => normalizeChannelId(word.toUpperCase()))).toBe("invalid_channel");
  expect(isChannelId(word)).toBe(false);
});
