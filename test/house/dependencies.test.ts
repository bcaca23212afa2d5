import { expect, test } from "vitest";
import { isProduct, listImports, readSources } from "./source-file.ts";
import { findPackageName, readManifest, readWorkspacePackages } from "./workspace-package.ts";

/** The packages that Banyan is built on, each where it belongs. */
const FOUNDATION: readonly (readonly [dependency: string, owner: string])[] = [
  ["tapable", "@banyan/core"],
  ["zod", "@banyan/core"],
  ["pino", "@banyan/core"],
  ["grammy", "@banyan/channel-telegram"],
  ["discord.js", "@banyan/channel-discord"],
];

const packages = readWorkspacePackages();
const sources = readSources().filter(isProduct);

test("there are packages and sources to look at", () => {
  expect(packages.length).toBeGreaterThan(0);
  expect(sources.length).toBeGreaterThan(0);
});

test.each(FOUNDATION)("%s is a dependency of %s, and used there", (dependency, owner) => {
  const found = packages.find(({ name }) => name === owner);
  expect(Object.keys(found?.manifest.dependencies ?? {})).toContain(dependency);
  const users = sources.filter((file) => file.path.startsWith(`${found?.folder}/`) && imports(file, dependency));
  expect(users.length).toBeGreaterThan(0);
});

test("vitest runs the tests", () => {
  const { devDependencies, scripts } = readManifest(".");
  expect(Object.keys(devDependencies)).toContain("vitest");
  expect(scripts.test).toBe("vitest run --project quick --project stories");
});

test("what is published depends on released versions, and on ours in this workspace", () => {
  const ours = new Set(packages.map(({ name }) => name));
  const offenders = packages.flatMap(({ name, manifest }) =>
    Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
      .filter(([used, range]) => range !== "workspace:*" && (ours.has(used) || !/^[\^~]?\d+(\.\d+)*$/.test(range)))
      .map(([used, range]) => `${name}: ${used}@${range}`),
  );
  expect(offenders).toEqual([]);
});

function imports(file: (typeof sources)[number], dependency: string): boolean {
  return listImports(file).some((specifier) => findPackageName(specifier) === dependency);
}
