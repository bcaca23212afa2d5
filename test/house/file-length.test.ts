import { expect, test } from "vitest";
import { readSources } from "./source-file.ts";

/** Biome has the same limit, but counts a comment or a text of several lines as one. */
const MOST_LINES = 400;

const sources = readSources();

test("there are sources to look at", () => {
  expect(sources.length).toBeGreaterThan(0);
});

test("no file has more than 400 lines, including comments", () => {
  const lengths = sources.map(({ path, text }) => ({ path, lines: countLines(text) }));
  expect(lengths.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
});

test.each([
  ["code", "export const A = 1;\n".repeat(401), 401],
  ["a comment", `/**\n${" * why\n".repeat(399)} */\n`, 401],
  ["a text", `const text = \`\n${"line\n".repeat(399)}\`;\n`, 401],
  ["a file that does not end with one", `${"x\n".repeat(400)}x`, 401],
  ["a file of the maximum length", "x\n".repeat(400), 400],
])("the lines of %s are counted", (_, text, lines) => {
  expect(countLines(text)).toBe(lines);
});

function countLines(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}
