import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackages } from "../package/build-packages.ts";
import { packPackages } from "../package/pack-packages.ts";
import { installStrangerProject } from "../package/stranger-project.ts";

/** A project that has our packages as they are published. */
export interface BuiltProject {
  /** The `banyan` program. */
  readonly program: string;
  remove(): void;
}

export async function installBuiltProject(): Promise<BuiltProject> {
  const path = mkdtempSync(join(tmpdir(), "banyan-bench-built-"));
  await installStrangerProject(path, await packPackages(await buildPackages(), path));
  return {
    program: join(path, "node_modules/banyan/dist/bin.js"),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
