import { describe, expect, test } from "vitest";
import { cutToWidth, measureWidth } from "../../src/terminal/display-width.ts";
import { wrapText } from "../../src/terminal/wrap-text.ts";

test.each([
  ["", 0],
  ["hello", 5],
  ["grüße", 5],
  ["e\u0301", 1],
  ["日本", 4],
  ["🌱 ok", 5],
  ["👩‍👩‍👧", 2],
  ["✓ done", 6],
  ["a\u200bb", 2],
])("%j takes %i columns", (text, width) => {
  expect(measureWidth(text)).toBe(width);
});

test.each([
  ["hello", 5, "hello"],
  ["hello", 3, "hel"],
  ["日本", 3, "日"],
])("%j cut to %i columns is %j", (text, columns, cut) => {
  expect(cutToWidth(text, columns)).toBe(cut);
});

describe("wrapText", () => {
  test.each([
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 80, ["one two three"]],
    ["first\n\n  second", 80, ["first", "", "  second"]],
    ["    code that is long", 14, ["    code that", "is long"]],
    ["see https://example.org/a/long/path now", 10, ["see", "https://example.org/a/long/path", "now"]],
    ["日本 日本", 5, ["日本", "日本"]],
    ["", 5, [""]],
  ])("%j at %i columns", (text, columns, lines) => {
    expect(wrapText(text, columns)).toEqual(lines);
  });
});
