import { expect, test } from "vitest";
import { listModuleState } from "./module-state.ts";
import { isProduct, parseSource, readSources } from "./source-file.ts";

const sources = readSources();

test("there are sources to look at", () => {
  expect(sources.filter(isProduct).length).toBeGreaterThan(0);
});

test("no module of the product holds state", () => {
  expect(sources.filter(isProduct).flatMap(listModuleState)).toEqual([]);
});

test("no module that tests share holds state: a test file's own is made anew before each test", () => {
  // One keeps a pool by its purpose, behind a call: `packages/core/test/open-test-store.ts` lends databases and clears them.
  // A bench or a `run.ts` is a program: its top is its main function.
  const joint = sources.filter((file) => !isProduct(file) && !/(^|\/)bench\/|\/run\.ts$|\.test\.ts$/.test(file.path));
  expect(joint.length).toBeGreaterThan(0);
  expect(joint.flatMap(listModuleState)).toEqual([]);
});

test.each([
  "let count = 0;",
  "var count = 0;",
  "export let count: number;",
  "const seen = new Set<string>();",
  "export const cache: Map<string, string> = new Map();",
  "const registry = new Registry();",
  "const list: string[] = [];",
  "const names = ['a'];",
  "const byName: Record<string, number> = {};",
  "class Counter { static count = 0; }",
  "class Registry { static readonly all = new Map(); }",
])("%s is state", (code) => {
  expect(listModuleState(parseSource("seeded.ts", code))).toHaveLength(1);
});

test.each([
  "const LIMIT = 5;",
  "const NAMES: readonly string[] = ['a'];",
  "const NAMES = ['a'] as const;",
  "const BY_NAME: ReadonlyMap<string, number> = new Map([['a', 1]]);",
  "const LABELS: Readonly<Record<string, string>> = {};",
  "const FORM = new RegExp('a');",
  "const COLLATOR = new Intl.Collator('en');",
  "class Text { static readonly EMPTY = ''; }",
  "function count() { let n = 0; return n; }",
  "declare let injected: string;",
])("%s is none", (code) => {
  expect(listModuleState(parseSource("seeded.ts", code))).toEqual([]);
});
