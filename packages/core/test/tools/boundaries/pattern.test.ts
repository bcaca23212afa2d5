import { expect, test } from "vitest";
import { matchPath } from "../../../src/tools/boundaries/path-pattern.ts";
import { matchesWord } from "../../../src/tools/boundaries/word-pattern.ts";

test.each([
  ["git", "git", true],
  ["git", "gits", false],
  ["*", "", true],
  ["*.md", "a.md", true],
  ["*.md", "a.md.txt", false],
  ["a*b*c", "axxbyyc", true],
  ["a*b*c", "axxcyyb", false],
])("%s means %s: %s", (pattern, word, means) => {
  expect(matchesWord(pattern, word)).toBe(means);
});

test.each([
  ["docs", "docs", "yes"],
  ["docs", "docs/a/b.md", "yes"],
  ["docs", "docs2", "no"],
  ["docs", ".", "above"],
  ["docs/**", "docs", "yes"],
  ["docs/*/private", "docs/a", "above"],
  ["docs/*/private", "docs/a/private/key", "yes"],
  ["docs/*/private", "docs/a/b/private", "no"],
  ["**/.env", ".env", "yes"],
  ["**/.env", "a/b/.env", "yes"],
  ["**/.env", "a/b", "above"],
  ["**", "anything/at/all", "yes"],
  ["**", ".", "yes"],
  ["*.md", "a.md", "yes"],
  ["*.md", "docs/a.md", "no"],
] as const)("%s says of %s: %s", (pattern, path, match) => {
  expect(matchPath(pattern, path)).toBe(match);
});

test("attack 23: a pattern that a regular expression would never end with ends at once", () => {
  const begun = process.threadCpuUsage();
  expect(matchesWord(`${"*a".repeat(100)}b`, "a".repeat(10_000))).toBe(false);
  expect(matchPath(`${"**/a/".repeat(40)}b`, "a/".repeat(1_000))).toBe("above");
  expect(process.threadCpuUsage(begun).user).toBeLessThan(2_000_000);
});
