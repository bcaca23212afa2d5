import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, listNames, REPOSITORY } from "./repository.ts";
import { readManifest } from "./workspace-package.ts";

const HOUSE: readonly string[] = [
  ".ci",
  "AGENTS.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "biome.json",
  "docs",
  "package.json",
  "packages",
  "plugins",
  "pnpm-workspace.yaml",
  "test",
  "tsconfig.json",
];

/** Tools look for these at the top. */
const TOOL_FILES: readonly string[] = [".gitignore", "knip.json", "pnpm-lock.yaml", "vitest.config.ts"];

/** What pnpm does by itself, not by a script. */
const PNPM_COMMANDS: readonly string[] = ["install", "add", "exec"];

/** Where this was written is nobody's concern: no path, host or registry of it. */
const WORKPLACE =
  /(?<![\w.])\/work\/|\/root\/|(\.\.\/)+shared\/(?!specs\/)|https?:\/\/registry\.|npm\.pkg\.|verdaccio|artifactory|:4873/g;

test("the top level holds exactly what the architecture names", () => {
  expect(listNames(".")).toEqual([...HOUSE, ...TOOL_FILES].sort());
});

test("package.json pins no package manager: the pin does not resolve on every registry", () => {
  const text = read("package.json");
  expect(text).toContain('"node": "24.');
  expect(text).not.toContain("packageManager");
});

test("the license is MIT", () => {
  expect(read("LICENSE")).toMatch(/^MIT License/);
});

test("the README starts and tests Banyan in one command each", () => {
  const { scripts } = readManifest(".");
  expect(scripts).toMatchObject({ start: "banyan start", test: "vitest run --project quick --project stories" });
  for (const command of ["npx -y pnpm@12 start", "npx -y pnpm@12 test"]) expect(read("README.md")).toContain(command);
});

test.each(["README.md", "AGENTS.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])(
  "every pnpm command in %s exists",
  (page) => {
    const { scripts } = readManifest(".");
    const named = [...read(page).matchAll(/\bpnpm(?:@\d+)? (?:run )?([a-z][a-z:-]*)\b/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in scripts) && !PNPM_COMMANDS.includes(name))).toEqual([]);
  },
);

test("the continuous integration is a script that can be run", () => {
  expect(listNames(".ci")).toEqual(["run"]);
  expect(statSync(join(REPOSITORY, ".ci/run")).mode & 0o111).not.toBe(0);
});

test("no file names the place where it was written", () => {
  const paths = listFiles().filter((path) => path !== "test/house/top-level.test.ts");
  expect(paths.length).toBeGreaterThan(0);
  const offenders = paths.flatMap((path) =>
    [...new Set(read(path).match(WORKPLACE))].map((what) => `${path}: ${what}`),
  );
  expect(offenders).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
