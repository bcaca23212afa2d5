import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../house/command.ts";
import { REPOSITORY } from "../house/repository.ts";
import { readWorkspacePackages, type WorkspacePackage } from "../house/workspace-package.ts";

const COMPILER = join(REPOSITORY, "node_modules/.bin/tsc");
const PROJECT = join(import.meta.dirname, "tsconfig.build.json");

/**
 * Fills the `dist/` folder of every package: one run of the compiler over all of them, then each takes its part. Files
 * that are no TypeScript go along as they are.
 */
export async function buildPackages(): Promise<readonly WorkspacePackage[]> {
  const emitted = mkdtempSync(join(tmpdir(), "banyan-build-"));
  try {
    const { exitCode, output } = await runCommand(COMPILER, ["-p", PROJECT, "--outDir", emitted, "--pretty", "false"]);
    if (exitCode !== 0) throw new Error(`building the packages: the compiler refuses them; correct this:\n${output}`);
    const packages = readWorkspacePackages();
    for (const { folder } of packages) placeBuild(join(emitted, folder, "src"), join(REPOSITORY, folder));
    return packages;
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

function placeBuild(emitted: string, folder: string): void {
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  cpSync(join(folder, "src"), dist, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  cpSync(emitted, dist, { recursive: true });
}
