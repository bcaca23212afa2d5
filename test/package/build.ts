/** `pnpm build`: compiles every package into its `dist/` and has publint judge what would be published. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackages } from "./build-packages.ts";
import { lintTarball, packPackages } from "./pack-packages.ts";

const target = mkdtempSync(join(tmpdir(), "banyan-pack-"));
try {
  const tarballs = await packPackages(await buildPackages(), target);
  for (const tarball of tarballs) {
    const faults = await lintTarball(tarball);
    console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${tarball.name}`);
    for (const fault of faults) console.log(`       ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(target, { recursive: true });
}
