import { describe, expect, it, test } from "vitest";
import {
  decideOffset,
  findGap,
  formatPollCursor,
  type PollCursor,
  parsePollCursor,
} from "../../src/polling/poll-cursor.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 1_770_000_000_000;

describe("the stored text of a cursor", () => {
  it.each<[text: string | undefined, cursor: object]>([
    [undefined, { offset: 0, updateAt: undefined, pollAt: undefined }],
    ["123", { offset: 123, updateAt: undefined, pollAt: undefined }],
    [`123 ${NOW} ${NOW + 1}`, { offset: 123, updateAt: NOW, pollAt: NOW + 1 }],
    [`0 0 ${NOW}`, { offset: 0, updateAt: undefined, pollAt: NOW }],
    ["", { offset: 0, updateAt: undefined, pollAt: undefined }],
    ["-5 x 1e99", { offset: 0, updateAt: undefined, pollAt: undefined }],
    ["nonsense", { offset: 0, updateAt: undefined, pollAt: undefined }],
  ])("%j is read", (text, cursor) => {
    expect(parsePollCursor(text)).toEqual(cursor);
  });

  it.each<[what: string, more: Partial<PollCursor>]>([
    ["while it polls", {}],
    ["behind a webhook", { nextId: 8, mark: "m" }],
    ["with pieces of albums", { nextId: 8, mark: "m", pieces: [5, 6] }],
    ["with messages that were seen", { nextId: 8, mark: "m", pieces: [5], seen: [{ id: 9, chat: -100, at: NOW }] }],
  ])("is read as it was written, %s", (_, more) => {
    const cursor = { offset: 7, updateAt: NOW, pollAt: NOW + 5, ...more };
    expect(parsePollCursor(formatPollCursor(cursor))).toEqual(cursor);
  });

  test("has the first hundred messages that were seen, and without pieces a stroke in their place", () => {
    const seen = Array.from({ length: 101 }, (_, at) => ({ id: at + 1, chat: 7, at: NOW }));
    const text = formatPollCursor({ offset: 0, nextId: 8, seen });
    expect(text).toMatch(/^0 0 0 8 - - 1@7@/);
    expect(parsePollCursor(text).seen).toEqual(seen.slice(0, 100));
  });
});

describe("T38: the offset of a poll", () => {
  it.each<[what: string, updateAt: number | undefined, offset: number]>([
    ["stands just after an update", NOW, 123],
    ["stands for almost six days", NOW - 6 * DAY_MS + 1, 123],
    ["is left away after six days without updates, for the next id is random", NOW - 6 * DAY_MS, 0],
    ["is left away where nobody knows how old it is", undefined, 0],
    ["is left away where the clock was far ahead", NOW + 30 * DAY_MS, 0],
  ])("%s", (_, updateAt, offset) => {
    expect(decideOffset({ offset: 123, updateAt }, NOW)).toBe(offset);
  });
});

describe("T37: what Telegram has forgotten", () => {
  it.each<[what: string, pollAt: number | undefined, gap: object | undefined]>([
    ["is nothing at the very first start", undefined, undefined],
    ["is nothing after a day", NOW - DAY_MS, undefined],
    ["is what was written up to a day ago", NOW - DAY_MS - HOUR_MS, { from: NOW - DAY_MS - HOUR_MS, to: NOW - DAY_MS }],
  ])("%s", (_, pollAt, gap) => {
    expect(findGap({ offset: 1, pollAt }, NOW)).toEqual(gap);
  });
});
