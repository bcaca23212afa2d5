import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "./repository.ts";

const ROW = /^\| `([\w./-]+\.md)` \| (.+) \| `(test\/[^`]+)` \|$/gm;
const FEWEST = 25;

const claims = [...read("test/README.md").matchAll(ROW)].map(([, page = "", claim = "", file = ""]) => ({
  page,
  claim,
  file,
}));

test(`the table has at least ${FEWEST} claims`, () => {
  expect(claims.length).toBeGreaterThanOrEqual(FEWEST);
});

test("each page contains its claims of the table", () => {
  expect(claims.filter(({ page, claim }) => !unwrap(read(page)).includes(claim))).toEqual([]);
});

test("`pnpm test` runs the file of each claim", () => {
  const missing = claims.filter(({ file }) => file.endsWith(".long.test.ts") || !existsSync(join(REPOSITORY, file)));
  expect(missing).toEqual([]);
});

/** A sentence may continue on the next line. */
function unwrap(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
