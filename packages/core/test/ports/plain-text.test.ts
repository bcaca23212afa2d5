import { describe, expect, test } from "vitest";
import { formatPlainLine, formatPlainText } from "../../src/ports/plain-text.ts";

describe("a text from outside", () => {
  test.each([
    ["colours are gone", "\u001b[31mred\u001b[0m", "red"],
    ["the title of the window stays as it is", "\u001b]0;owned\u0007text", "text"],
    ["the cursor stays where it is", "a\rb\u0008c", "abc"],
    ["one-byte controls are gone", "a\u009b2Jb", "ab"],
    ["the writing direction stays", "a\u202eb", "ab"],
    ["lines and tabs stay", "a\r\n\tb", "a\n\tb"],
    ["other scripts stay", "日本 🌱", "日本 🌱"],
  ])("%s", (_name, text, plain) => {
    expect(formatPlainText(text)).toBe(plain);
  });

  test("fits on one line of a listing", () => {
    expect(formatPlainLine(" a\n\n b\u001b[2K ")).toBe("a b");
  });
});
