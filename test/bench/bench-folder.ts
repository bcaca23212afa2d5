import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder with a configuration for one subject: the `echo` agent, open to everybody, quiet. */
export interface BenchFolder {
  readonly path: string;
  remove(): void;
}

export function makeBenchFolder(): BenchFolder {
  const path = mkdtempSync(join(tmpdir(), "banyan-bench-"));
  const config = {
    stateDir: "./state",
    server: { port: 0 },
    log: { level: "error" },
    agents: { main: { runtime: "echo" } },
    channels: { telegram: { accounts: { default: { dmPolicy: "open" } } } },
  };
  writeFileSync(join(path, "banyan.config.json"), JSON.stringify(config));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
