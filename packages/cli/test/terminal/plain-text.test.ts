import { expect, test } from "vitest";
import { cutEllipsis, shortenText } from "../../src/terminal/plain-text.ts";

test.each([
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  ["🌱🌱🌱", 2, "🌱…"],
])("%j in %i characters is %j", (text, limit, short) => {
  expect(shortenText(text, limit)).toBe(short);
});

test("an id that was copied out of a listing is the beginning it shows", () => {
  expect(cutEllipsis(" 9f3a… ")).toBe("9f3a");
});
