import { expect, test } from "vitest";
import { formatAge, formatDue, formatDuration } from "../../src/terminal/relative-time.ts";

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;

test.each([
  [0, "just now"],
  [999, "just now"],
  [12.9 * S, "12 s ago"],
  [5 * MIN + 59 * S, "5 min ago"],
  [23 * H, "23 h ago"],
  [400 * D, "400 d ago"],
  [-5 * S, "just now"],
])("%i ms old is %s", (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});

test.each([
  [0, "0 s"],
  [8 * S, "8 s"],
  [MIN, "1 min"],
  [5 * MIN + 12 * S, "5 min 12 s"],
  [H + 59 * S, "1 h"],
  [3 * D + 4 * H + 59 * MIN, "3 d 4 h"],
])("up for %i ms is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [-1, "now"],
  [0, "now"],
  [1, "in 1 s"],
  [7_001, "in 8 s"],
  [MIN, "in 1 min"],
])("due in %i ms is %s", (ms, text) => {
  expect(formatDue(ms)).toBe(text);
});
