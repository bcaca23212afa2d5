import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const SOURCES = new URL("../../src/", import.meta.url).pathname;

it("is the only place that knows what the AI SDK calls experimental", () => {
  const files = globSync("**/*.ts", { cwd: SOURCES });
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => /experimental_/i.test(readFileSync(SOURCES + file, "utf8")))).toEqual([
    "turn/steered-messages.ts",
  ]);
});
