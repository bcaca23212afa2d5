import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { REPOSITORY } from "../house/repository.ts";
import type { Tarball } from "./pack-packages.ts";
import { runPnpm } from "./pnpm.ts";

/** What pnpm remembers of the workspace's install. */
const installSchema = z.object({
  storeDir: z.string(),
  hoistedDependencies: z.record(z.string(), z.unknown()),
});

/**
 * Makes an empty folder a project that has our packages from their tarballs, and everything else from the store that
 * the workspace's install filled: the same versions, without a network. `wanted` are the packages it depends on itself.
 */
export async function installStrangerProject(
  folder: string,
  tarballs: readonly Tarball[],
  wanted: readonly string[] = tarballs.map(({ name }) => name),
): Promise<void> {
  const installed = installSchema.parse(
    JSON.parse(readFileSync(join(REPOSITORY, "node_modules/.modules.yaml"), "utf8")),
  );
  const ours = Object.fromEntries(tarballs.map(({ name, path }) => [name, `file:${path}`]));
  const versions = Object.keys(installed.hoistedDependencies)
    .map(splitVersion)
    .filter(([, version]) => /^\d/.test(version));
  const overrides = { ...Object.fromEntries(versions), ...ours };
  const dependencies = Object.fromEntries(wanted.map((name) => [name, ours[name]]));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  writeFileSync(join(folder, "pnpm-workspace.yaml"), JSON.stringify({ packages: ["."], overrides }));
  const { exitCode, output } = await runPnpm(["install", "--offline", "--store-dir", installed.storeDir], folder);
  if (exitCode !== 0) throw new Error(`installing the tarballs in ${folder}: pnpm refuses:\n${output}`);
}

/** `@hono/node-server@2.1.8(hono@4.13.19)` → `["@hono/node-server", "2.1.8"]`; a package of ours has a path instead. */
function splitVersion(key: string): readonly [name: string, version: string] {
  const [plain = ""] = key.split("(");
  const at = plain.lastIndexOf("@");
  return [plain.slice(0, at), plain.slice(at + 1)];
}
