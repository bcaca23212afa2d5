import { expect, test } from "vitest";
import { listPublishedPackages } from "./package-readme.ts";

const packages = listPublishedPackages();

test("there are packages", () => {
  expect(packages.length).toBeGreaterThan(10);
});

test.each(packages)("the README of $folder begins with its name and has an example", ({ name, readme, example }) => {
  expect(readme.split("\n")[0]).toBe(`# ${name}`);
  expect(example).toBeDefined();
});
