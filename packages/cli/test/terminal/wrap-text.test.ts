import { describe, expect, test } from "vitest";
import { wrapText } from "../../src/terminal/wrap-text.ts";

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
