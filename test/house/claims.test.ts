import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "./repository.ts";

const ROW = /^\| (.+) \| `(test\/[^`]+)` \|$/gm;
const FEWEST = 25;

const claims = [...read("test/README.md").matchAll(ROW)].map(([, claim = "", file = ""]) => ({ claim, file }));
const readme = unwrap(read("README.md"));

test("there is a claim for each part of the README", () => {
  expect(claims.length).toBeGreaterThanOrEqual(FEWEST);
});

test("what the README is said to claim stands there", () => {
  expect(claims.filter(({ claim }) => !readme.includes(claim))).toEqual([]);
});

test("each claim is shown by a file that `pnpm test` runs", () => {
  const missing = claims.filter(({ file }) => file.endsWith(".long.test.ts") || !existsSync(join(REPOSITORY, file)));
  expect(missing).toEqual([]);
});

/** A sentence may go on in the next line. */
function unwrap(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
