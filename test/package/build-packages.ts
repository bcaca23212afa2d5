import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../house/command.ts";
import { REPOSITORY } from "../house/repository.ts";
import { readWorkspacePackages, type WorkspacePackage } from "../house/workspace-package.ts";
import { bundlePackage } from "./bundle-package.ts";

const COMPILER = join(REPOSITORY, "node_modules/.bin/tsc");
const PROJECT = join(import.meta.dirname, "tsconfig.build.json");

/**
 * Fills the `dist/` folder of every package: one run of the compiler over all of them, then each takes its part, joined
 * into few files. Files that are no TypeScript go along as they are.
 */
export async function buildPackages(): Promise<readonly WorkspacePackage[]> {
  const emitted = mkdtempSync(join(tmpdir(), "banyan-build-"));
  try {
    const { exitCode, output } = await runCommand(COMPILER, ["-p", PROJECT, "--outDir", emitted, "--pretty", "false"]);
    if (exitCode !== 0) throw new Error(`building the packages: the compiler refuses them; correct this:\n${output}`);
    const packages = readWorkspacePackages();
    for (const pkg of packages) await placeBuild(pkg, join(emitted, pkg.folder, "src"));
    return packages;
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

async function placeBuild(pkg: WorkspacePackage, compiled: string): Promise<void> {
  const folder = join(REPOSITORY, pkg.folder);
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  cpSync(join(folder, "src"), dist, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  // JavaScript that the compiled files import; the bundler looks for it beside them.
  cpSync(join(folder, "src"), compiled, { recursive: true, filter: (path) => !/\.(?!js$)[a-z]+$/.test(path) });
  const isBundled = await bundlePackage(pkg, compiled, dist);
  cpSync(compiled, dist, { recursive: true, filter: (path) => !isBundled || !path.endsWith(".js") });
}
