import { expect, test } from "vitest";
import { parseMarkdown, SOURCE_LIMIT_UNITS } from "../src/parse-markdown.ts";
import { formatPlainText } from "../src/plain-text.ts";

test("what is too long or too entangled is no tree", () => {
  expect(parseMarkdown("a **tree**")?.children[0]?.type).toBe("paragraph");
  expect(parseMarkdown("a".repeat(SOURCE_LIMIT_UNITS + 1))).toBeUndefined();
  expect(parseMarkdown(">".repeat(20))).toBeUndefined();
});

test("a plain text has plain line breaks and no empty lines around it", () => {
  expect(formatPlainText("\n\na\r\nb\rc  \n")).toBe("a\nb\nc");
  expect(formatPlainText("a\ud800")).toBe("a\ufffd");
});
