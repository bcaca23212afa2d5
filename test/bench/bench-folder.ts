import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder with a configuration for one subject: the `echo` agent, open to everybody, quiet. */
export interface BenchFolder {
  readonly path: string;
}

/** All of this process stand here. */
const PARENT = join(tmpdir(), `banyan-bench-${process.pid}`);

/**
 * At the end of the run, not of a round: for minutes ext4 passes over the places of files that were removed, and a round
 * behind such a removal pays up to a millisecond of CPU for each file of its layout.
 */
export function removeBenchFolders(): void {
  rmSync(PARENT, { recursive: true, force: true });
}

export function makeBenchFolder(): BenchFolder {
  mkdirSync(PARENT, { recursive: true });
  const path = mkdtempSync(join(PARENT, "round-"));
  const config = {
    stateDir: "./state",
    server: { port: 0 },
    log: { level: "error" },
    agents: { main: { runtime: "echo" } },
    channels: { telegram: { accounts: { default: { dmPolicy: "open" } } } },
  };
  writeFileSync(join(path, "banyan.config.json"), JSON.stringify(config));
  return { path };
}
