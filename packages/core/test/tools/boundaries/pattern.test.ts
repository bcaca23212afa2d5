import { expect, test } from "vitest";
import { matchPath } from "../../../src/tools/boundaries/path-pattern.ts";
import { matchesWord } from "../../../src/tools/boundaries/word-pattern.ts";
import { measureCpuRatio } from "../../cpu-ratio.ts";

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
  const word = (stars: number, letters: number) => () => matchesWord(`${"*a".repeat(stars)}b`, "a".repeat(letters));
  const path = (stars: number, names: number) => () => matchPath(`${"**/a/".repeat(stars)}b`, "a/".repeat(names));
  // Each length times eight, small enough for what goes back over every star to end: it would take 64 times as long at least.
  expect(measureCpuRatio(word(3, 800), word(3, 100))).toBeLessThan(24);
  expect(measureCpuRatio(word(16, 24), word(2, 24))).toBeLessThan(24);
  expect(measureCpuRatio(path(3, 800), path(3, 100))).toBeLessThan(24);
  expect(measureCpuRatio(path(16, 24), path(2, 24))).toBeLessThan(24);
  expect(word(100, 10_000)()).toBe(false);
  expect(path(40, 1_000)()).toBe("above");
});
