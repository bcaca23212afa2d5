import fc from "fast-check";
import { expect, it } from "vitest";
import { formatSingleLine } from "../../../src/subagents/spawn/single-line.ts";
import { anyText } from "../../sessions/keys/session-identity.ts";

it.each([
  ["Count the words", "Count the words"],
  [" Count\r\n\tthe  words ", "Count the words"],
  ["a\u2028b\u0085c", "a bc"],
  ["\u202eabc\u0000\u200b", "abc"],
  ["\n", ""],
])("writes %j as %j", (text, line) => {
  expect(formatSingleLine(text)).toBe(line);
});

it("is one visible line, whatever it was, and stays as it is", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = formatSingleLine(text);
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|^\s|\s$/u);
      expect(formatSingleLine(line)).toBe(line);
    }),
  );
});
