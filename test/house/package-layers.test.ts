import { expect, test } from "vitest";
import { findImportedPath, isProduct, listImports, readSources, type SourceFile } from "./source-file.ts";
import { findPackageName, readWorkspacePackages, type WorkspacePackage } from "./workspace-package.ts";

const SDK = "@banyan/plugin-sdk";
const STORE = "@banyan/store";
const CORE = "@banyan/core";
const EMULATOR_KIT = "@banyan/emulator-kit";
const MCP_TOOLS = "@banyan/mcp-tools";
const MARKDOWN = "@banyan/markdown";

/** What a package may import from ours in `src/`; ARCHITECTURE.md draws the layers. A new package takes a row here. */
const MAY_USE: Readonly<Record<string, readonly string[] | "everything">> = {
  "@banyan/plugin-sdk": [],
  "@banyan/markdown": [],
  "@banyan/store": [SDK],
  "@banyan/core": [SDK, STORE],
  "@banyan/store-sqlite": [SDK, STORE],
  "@banyan/runtime-ai": [SDK],
  "@banyan/mcp-tools": [SDK],
  "@banyan/runtime-acp": [SDK, MCP_TOOLS],
  "@banyan/runtime-demo": [SDK],
  "@banyan/channel-discord": [SDK, MARKDOWN],
  "@banyan/channel-telegram": [SDK, MARKDOWN],
  "@banyan/channel-webchat": [SDK],
  "@banyan/emulator-kit": [],
  "@banyan/emulator-discord": [SDK, EMULATOR_KIT],
  "@banyan/emulator-model": [EMULATOR_KIT],
  "@banyan/emulator-telegram": [SDK, EMULATOR_KIT],
  "@banyan/console": [SDK, STORE, CORE],
  banyan: "everything",
};

const packages = readWorkspacePackages();
const ours = new Set(packages.map(({ name }) => name));
const sources = readSources();

test("there are packages and sources to look at", () => {
  expect(packages.length).toBeGreaterThan(0);
  expect(sources.filter(isProduct).length).toBeGreaterThan(0);
});

test("every package has a layer", () => {
  expect(packages.map(({ name }) => name).filter((name) => MAY_USE[name] === undefined)).toEqual([]);
});

test("a package depends only on packages below it", () => {
  const offenders = packages.flatMap(({ name, manifest }) =>
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies })
      .filter((used) => ours.has(used) && !mayUse(name, used))
      .map((used) => `${name} depends on ${used}`),
  );
  expect(offenders).toEqual([]);
});

test("a package's sources import only packages below it", () => {
  expect(
    listUses(isProduct)
      .filter(({ from, used }) => !mayUse(from.name, used))
      .map(formatUse),
  ).toEqual([]);
});

test("plugins, stores, runtimes and emulators never import the core, not even in their tests", () => {
  const offenders = listUses(() => true).filter(
    ({ from, used }) => used === CORE && ![CORE, "banyan", "@banyan/console"].includes(from.name),
  );
  expect(offenders.map(formatUse)).toEqual([]);
});

test("what is imported from another package is a dependency of it, and a published one for sources", () => {
  const offenders = listUses(() => true).filter(({ from, file, used }) => {
    const { dependencies, peerDependencies, optionalDependencies, devDependencies } = from.manifest;
    const published = { ...dependencies, ...peerDependencies, ...optionalDependencies };
    return !(used in (isProduct(file) ? published : { ...published, ...devDependencies }));
  });
  expect(offenders.map(formatUse)).toEqual([]);
});

test("no relative import leaves its package", () => {
  const offenders = packages.flatMap(({ folder }) =>
    sources
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap((file) =>
        listImports(file)
          .map((specifier) => findImportedPath(file, specifier))
          .filter((path) => path !== undefined && !path.startsWith(`${folder}/`))
          .map((path) => `${file.path} imports ${path}`),
      ),
  );
  expect(offenders).toEqual([]);
});

interface Use {
  readonly from: WorkspacePackage;
  readonly file: SourceFile;
  readonly used: string;
}

/** Every import of one of our packages by another. */
function listUses(isWanted: (file: SourceFile) => boolean): readonly Use[] {
  return packages.flatMap((from) =>
    sources
      .filter((file) => file.path.startsWith(`${from.folder}/`) && isWanted(file))
      .flatMap((file) =>
        [...new Set(listImports(file).map(findPackageName))]
          .filter((used) => used !== undefined)
          .filter((used) => ours.has(used) && used !== from.name)
          .map((used) => ({ from, file, used })),
      ),
  );
}

function mayUse(name: string, used: string): boolean {
  const below = MAY_USE[name] ?? [];
  return below === "everything" || below.includes(used);
}

function formatUse({ file, used }: Use): string {
  return `${file.path} imports ${used}`;
}
