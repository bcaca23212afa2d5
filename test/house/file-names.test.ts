import { expect, test } from "vitest";
import { listFiles } from "./repository.ts";

/** A file named so has no noun of its own, and grows without end. */
const NOUNLESS_WORDS: readonly string[] = ["util", "utils", "helper", "helpers", "misc", "types", "constants"];
const NOUNLESS_NAMES: readonly string[] = ["shared", "common", "lib", "base", "stuff"];

const paths = ["packages", "plugins", "test"].flatMap((folder) => listFiles(folder)).filter((path) => !isData(path));

test("there are files to look at", () => {
  expect(paths.length).toBeGreaterThan(0);
});

test("no file and no folder has a name that says nothing", () => {
  expect(paths.filter((path) => listNames(path).some(isNounless))).toEqual([]);
});

test("files and folders are written in kebab-case", () => {
  const offenders = paths.filter((path) => path.endsWith(".ts") && !listNames(path).every(isKebabCase));
  expect(offenders).toEqual([]);
});

test.each(["shared", "string-utils", "types", "test-helpers", "Shared", "read.slow"])(
  "the name %s would be found",
  (name) => {
    expect(isNounless(name) || !isKebabCase(name)).toBe(true);
  },
);

/**
 * `packages/core/test/config/read-config.test.ts` → `packages`, `core`, `test`, `config`, `read-config`. The result for
 * `read-config.long.test.ts` is the same.
 */
function listNames(path: string): readonly string[] {
  return path.split("/").map((name) => name.replace(/((\.long)?\.test|\.d)?\.[a-z]+$/, ""));
}

function isNounless(name: string): boolean {
  return NOUNLESS_NAMES.includes(name) || name.split("-").some((word) => NOUNLESS_WORDS.includes(word));
}

function isKebabCase(name: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
}

function isData(path: string): boolean {
  return path.includes("/data/");
}
