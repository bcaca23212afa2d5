import { join } from "node:path";
import { expect, test } from "vitest";
import { listExportedNames } from "./public-surface.ts";
import { readWorkspacePackages } from "./workspace-package.ts";

/** Packages that others build on. `data/public-surface.json` lists their exports; `vitest run test/house -u` updates it. */
const PUBLIC: readonly string[] = ["@banyan/core", "@banyan/plugin-sdk", "banyan"];

test("the public surface is the one on record", async () => {
  const entries = readWorkspacePackages()
    .filter(({ name }) => PUBLIC.includes(name))
    .flatMap(({ name, folder, manifest }) =>
      Object.entries(manifest.exports).map(([subpath, source]) => [
        join(name, subpath),
        listExportedNames(join(folder, source)),
      ]),
    );
  expect(entries.length).toBeGreaterThan(0);
  for (const [entry, names] of entries) expect(names?.length, `names exported by ${entry}`).toBeGreaterThan(0);
  await expect(`${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`).toMatchFileSnapshot(
    "data/public-surface.json",
  );
});

test("re-exports are followed and types marked", () => {
  const names = listExportedNames("packages/store/src/index.ts");
  expect(names).toContain("StoreError");
  expect(names).toContain("type Store");
});
