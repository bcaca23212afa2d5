import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./repository.ts";
import { readManifest, readWorkspacePackages } from "./workspace-package.ts";

const packages = readWorkspacePackages();
const { version } = readManifest(".");

test("there are packages to look at", () => {
  expect(packages.length).toBeGreaterThan(0);
});

describe.each(packages)("$name", ({ folder, manifest }) => {
  test("is an MIT module for Node 24 that publishes its dist folder in the workspace's version", () => {
    expect(manifest).toMatchObject({
      version,
      license: "MIT",
      type: "module",
      engines: { node: ">=24" },
      files: ["dist"],
    });
  });

  test("says what it is, with keywords by which it is found", () => {
    expect(manifest.description).toBeDefined();
    const own = folder.startsWith("plugins/") ? ["banyan", "banyan-channel"] : ["banyan"];
    expect(manifest.keywords).toEqual(expect.arrayContaining(own));
    expect(manifest.keywords.length).toBeGreaterThan(own.length);
  });

  test("publishes the built form of exactly what it exports here", () => {
    const built = Object.entries(manifest.exports).map(([subpath, source]) => [
      subpath,
      { types: formatBuilt(source, ".d.ts"), default: formatBuilt(source, ".js") },
    ]);
    expect(manifest.publishConfig.exports).toEqual(Object.fromEntries(built));
    const bins = Object.entries(manifest.bin).map(([name, source]) => [name, formatBuilt(findProgram(source), ".js")]);
    expect(manifest.publishConfig.bin).toEqual(Object.fromEntries(bins));
  });

  test("exports files that exist", () => {
    const missing = [...Object.values(manifest.exports), ...Object.values(manifest.bin)].filter(
      (source) => !existsSync(join(REPOSITORY, folder, source)),
    );
    expect(missing).toEqual([]);
  });
});

/** A program that begins from source in plain JavaScript is published without that: `bin-from-source.js` → `bin.ts`. */
function findProgram(source: string): string {
  return source.replace(/-from-source\.js$/, ".ts");
}

/** `./src/store/index.ts` → `./dist/store/index.js` */
function formatBuilt(source: string, extension: string): string {
  return source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, extension);
}
