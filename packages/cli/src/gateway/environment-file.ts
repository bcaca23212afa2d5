import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ENVIRONMENT_FILE } from "@banyan/core";

/** The file of variables beside the configuration; `undefined`: there is none. */
export function findEnvironmentFile(configFile: string | undefined, cwd: string): string | undefined {
  const folder = configFile === undefined ? cwd : dirname(resolve(cwd, configFile));
  const file = join(folder, ENVIRONMENT_FILE);
  return existsSync(file) ? file : undefined;
}

/** Sets this process's variables from that file; one that is set already stays. */
export function loadEnvironmentFile(configFile: string | undefined, cwd: string): void {
  const file = findEnvironmentFile(configFile, cwd);
  if (file !== undefined) process.loadEnvFile(file);
}
