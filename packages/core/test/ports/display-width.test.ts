import { expect, test } from "vitest";
import { cutToWidth, measureWidth } from "../../src/ports/display-width.ts";

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
