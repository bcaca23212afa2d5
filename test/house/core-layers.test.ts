import { expect, test } from "vitest";
import { findImportedPath, listImports, readSources, type SourceFile } from "./source-file.ts";

/** From the bottom up. A folder imports itself and the floors below it, never a folder beside it. */
const FLOORS: readonly (readonly string[])[] = [
  ["ports"],
  ["sessions", "hooks"],
  ["config"],
  ["plugins", "http"],
  ["lanes", "outbound", "bindings", "timers"],
  ["runs", "questions", "budgets"],
  ["turns", "tools", "commands"],
  ["inbound", "subagents"],
  ["control"],
];

/** `gateway*.ts` and `index.ts`, which join what lies below. */
const TOP = "core/src";
const CORE_SOURCE = "packages/core/src/";

const sources = readSources().filter(({ path }) => path.startsWith(CORE_SOURCE));

test("there are core sources to look at", () => {
  expect(sources.length).toBeGreaterThan(0);
});

test("every folder of the core has a floor, and only the gateway stands on top", () => {
  const known = new Set([TOP, ...FLOORS.flat()]);
  expect([...new Set(sources.map(({ path }) => findFolder(path)))].filter((folder) => !known.has(folder))).toEqual([]);
  const top = sources.filter(({ path }) => findFolder(path) === TOP).map(({ path }) => path.slice(CORE_SOURCE.length));
  expect(top.filter((name) => name !== "index.ts" && !/^gateway(-[a-z-]+)?\.ts$/.test(name))).toEqual([]);
});

test("a folder of the core imports only the floors below it", () => {
  expect(sources.flatMap(listUpwardImports)).toEqual([]);
});

test("nothing imports the core's index from within", () => {
  const offenders = sources.filter((file) => listImports(file).some((name) => /^(\.\.?\/)+index\.ts$/.test(name)));
  expect(offenders.map(({ path }) => path).filter((path) => path !== `${CORE_SOURCE}index.ts`)).toEqual([]);
});

function listUpwardImports(file: SourceFile): readonly string[] {
  const from = findFolder(file.path);
  return listImports(file)
    .map((specifier) => findImportedPath(file, specifier))
    .filter((path) => path !== undefined)
    .filter((path) => findFolder(path) !== from && findFloor(findFolder(path)) >= findFloor(from))
    .map((path) => `${file.path} (${from}) imports ${path}`);
}

function findFolder(path: string): string {
  const [folder = "", ...rest] = path.slice(CORE_SOURCE.length).split("/");
  return rest.length === 0 ? TOP : folder;
}

function findFloor(folder: string): number {
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  return floor === -1 ? FLOORS.length : floor;
}
