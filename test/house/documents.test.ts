import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listNames, REPOSITORY } from "./repository.ts";

const MAP = "ARCHITECTURE.md";
const DECISIONS = "docs/decisions";
const MAP_LIMIT_BYTES = 12 * 1024;
const DECISION_LIMIT_BYTES = 3 * 1024;
/** The flows of the map name files below this folder. */
const CORE_SOURCE = "packages/core/src";

const decisions = listNames(DECISIONS).filter((name) => name !== "README.md");

test("the architecture is a map, and each decision is one page", () => {
  expect(decisions.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(read(MAP))).toBeLessThanOrEqual(MAP_LIMIT_BYTES);
  const long = decisions.filter((name) => Buffer.byteLength(read(`${DECISIONS}/${name}`)) > DECISION_LIMIT_BYTES);
  expect(long).toEqual([]);
});

test("decisions are numbered without a gap, have their three parts, and are in the index", () => {
  const index = read(`${DECISIONS}/README.md`);
  const lines = decisions.map((name, at) => {
    const number = String(at + 1).padStart(4, "0");
    const page = new RegExp(`^# ${number} (.+)\n\n## Context\n[^]+\n## Decision\n[^]+\n## Consequence\n[^]+`);
    const title = page.exec(read(`${DECISIONS}/${name}`))?.[1];
    return name.startsWith(`${number}-`) && title !== undefined ? `- [${number}](${name}) ${title}` : `misfit: ${name}`;
  });
  expect(index.split("\n").filter((line) => line.startsWith("- "))).toEqual(lines);
});

test.each([MAP, ...listNames(DECISIONS).map((name) => `${DECISIONS}/${name}`)])("every path in %s exists", (page) => {
  const roots = page === MAP ? ["", CORE_SOURCE] : [""];
  const paths = listPaths(read(page));
  if (page === MAP) expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !roots.some((root) => existsSync(join(REPOSITORY, root, path))))).toEqual([]);
});

test("a path is what begins with a folder of the repository or ends like a source", () => {
  const text =
    "`test/house` `turns/turns.ts` `gateway.ts` `outgoing/<sha256>` `gateway*.ts` `store.json` `rest()` `/new`";
  expect(listPaths(text)).toEqual(["test/house", "turns/turns.ts", "gateway.ts"]);
});

/** A bare name is of a file only if it ends like a source: `store.json` is one of the state directory. */
function listPaths(text: string): readonly string[] {
  const spans = [...text.matchAll(/`([\w./-]+)`/g)].map(([, span = ""]) => span);
  return spans.filter((span) => /^(?:packages|plugins|test|docs)\/|^[\w-].*\.(?:ts|js)$/.test(span));
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
