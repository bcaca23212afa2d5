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

const TELEGRAM = {
  agents: { main: { runtime: "echo" } },
  channels: { telegram: { accounts: { default: { dmPolicy: "open" } } } },
};

/** `config`: what stands in the configuration beside folder, port and log. */
export function makeBenchFolder(config: object = TELEGRAM): BenchFolder {
  mkdirSync(PARENT, { recursive: true });
  const path = mkdtempSync(join(PARENT, "round-"));
  writeConfig(path, config);
  return { path };
}

/** One folder of the name for the whole run of the bench; `isNew` where nobody has made it before. */
export function findBenchFolder(name: string, config: object): BenchFolder & { readonly isNew: boolean } {
  const path = join(PARENT, name);
  const isNew = mkdirSync(path, { recursive: true }) !== undefined;
  writeConfig(path, config);
  return { path, isNew };
}

function writeConfig(path: string, config: object): void {
  const all = { stateDir: "./state", server: { port: 0 }, log: { level: "error" }, ...config };
  writeFileSync(join(path, "banyan.config.json"), JSON.stringify(all));
}
