import { expect, it } from "vitest";
import { splitFiles } from "../../../src/demo/words/split-files.ts";

function split(sizes: Readonly<Record<string, number>>, shares = 3): string {
  const files = Object.entries(sizes).map(([path, bytes]) => ({ path, bytes }));
  return splitFiles(files, shares)
    .map((share) => share.map(({ path }) => path).join(" "))
    .join(" | ");
}

it.each([
  ["a large file against several small ones", { a: 1000, b: 9000, c: 1000, d: 1000, e: 9000 }, "b | e | a c d"],
  ["empty files by their number", { a: 0, b: 0, c: 0, d: 0, e: 0, f: 0 }, "a d | b e | c f"],
  ["no more shares than files have something", { a: 1 }, "a |  | "],
  ["nothing", {}, " |  | "],
] as const)("weighs %s", (_name, sizes, shares) => {
  expect(split(sizes)).toBe(shares);
});

it("gives the same shares whatever the order of the listing", () => {
  const sizes = Object.entries({ a: 5, b: 5, c: 700, d: 3000, e: 3000, f: 1 });
  const shareOf = (entries: readonly (readonly [string, number])[]) =>
    split(Object.fromEntries(entries))
      .split(" | ")
      .map((share) => share.split(" ").sort().join(" "));
  expect(shareOf([...sizes].reverse())).toEqual(shareOf(sizes));
});

it("gives all to one where one is asked for", () => {
  expect(split({ b: 1, a: 9 }, 1)).toBe("b a");
});
