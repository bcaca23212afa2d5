import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCompileFolder } from "../src/compile-cache.js";
import { makeFolder, runBanyan } from "./bin/banyan-process.ts";

const STRANGER = 4711;

const ATTACKS: readonly (readonly [what: string, prepare: (cache: string) => void])[] = [
  ["others can read", (cache) => makeFolderOf(join(cache, "banyan"), 0o755)],
  ["others can write", (cache) => makeFolderOf(join(cache, "banyan"), 0o770)],
  ["has a public folder inside", (cache) => makeFolderOf(join(cache, "banyan", "compiled"), 0o777)],
  ["is a link", (cache) => symlinkSync(makeFolderOf(`${cache}-elsewhere`, 0o700), join(cache, "banyan"))],
  ["has a link inside", (cache) => symlinkSync(cache, join(makeFolderOf(join(cache, "banyan"), 0o700), "compiled"))],
  ["is in a folder that others can write", (cache) => chmodSync(cache, 0o777)],
];

test.each(ATTACKS)("attack 36: a compile cache that %s is not used", (_what, prepare) => {
  const cache = makeFolderOf(join(makeFolder(), "cache"), 0o700);
  prepare(cache);
  expect(openCompileFolder({ XDG_CACHE_HOME: cache })).toBeUndefined();
});

test("attack 36: a compile cache of another user is not used", () => {
  const cache = makeFolderOf(join(makeFolder(), "cache"), 0o700);
  expect(openCompileFolder({ XDG_CACHE_HOME: cache })).toBe(join(cache, "banyan", "compiled"));
  expect(openCompileFolder({ XDG_CACHE_HOME: cache }, STRANGER)).toBeUndefined();
});

test("attack 36: the program keeps its compile cache below the user's own cache folder, in no shared one", async () => {
  const folder = makeFolder();
  const home = makeFolderOf(join(folder, "home"), 0o700);
  const shared = makeFolderOf(join(folder, "shared"), 0o1777);
  expect((await runBanyan(folder, ["--version"], { env: { HOME: home, TMPDIR: shared } })).code).toBe(0);
  expect(readdirSync(shared)).toEqual([]);
  const compiled = join(home, ".cache", "banyan", "compiled");
  expect(listFiles(compiled).length).toBeGreaterThan(3);
  for (const own of [compiled, join(compiled, "..")]) expect(statSync(own).mode & 0o777).toBe(0o700);
});

test("attack 36: where the folder is open to others, the program runs without a compile cache", async () => {
  const folder = makeFolder();
  const cache = makeFolderOf(join(folder, "cache"), 0o700);
  makeFolderOf(join(cache, "banyan", "compiled"), 0o755);
  const { code } = await runBanyan(folder, ["--version"], { env: { XDG_CACHE_HOME: cache, TMPDIR: folder } });
  expect(code).toBe(0);
  expect(listFiles(folder).toSorted()).toEqual(["cache", "cache/banyan", "cache/banyan/compiled"]);
});

test("without a home that can be written there is no compile cache", () => {
  const link = join(makeFolder(), "nowhere");
  symlinkSync("/nowhere/at/all", link);
  expect(openCompileFolder({ XDG_CACHE_HOME: link })).toBeUndefined();
});

function makeFolderOf(folder: string, mode: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, mode);
  return folder;
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}
