import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, REPOSITORY } from "./repository.ts";

const pages = listFiles().filter((path) => path.endsWith(".md"));

test("there are pages to look at", () => {
  expect(pages.length).toBeGreaterThan(0);
});

test("no table of a page is cut in two: each one begins with its head", () => {
  const offenders = pages.flatMap((path) => {
    const lines = readFileSync(join(REPOSITORY, path), "utf8").split("\n");
    const isRow = (at: number) => lines[at]?.trimStart().startsWith("|") ?? false;
    return lines.flatMap((_, at) => {
      const isHead = isRow(at) && !isRow(at - 1);
      return isHead && !/^\s*\|[\s:|-]+\|$/.test(lines[at + 1] ?? "") ? [`${path}:${at + 1}`] : [];
    });
  });
  expect(offenders).toEqual([]);
});
