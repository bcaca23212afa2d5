import { expect, test } from "vitest";
import { formatStopping } from "../../src/gateway/run-until-told.ts";

test.each([
  [0, "Stopping… Ctrl-C again to force quit."],
  [1, "Finishing 1 turn… Ctrl-C again to force quit."],
  [3, "Finishing 3 turns… Ctrl-C again to force quit."],
])("a stop with %i turns at work says so", (turns, text) => {
  expect(formatStopping(turns)).toBe(text);
});
