import { resolve } from "node:path";
import type { LoadedConfig } from "@banyan/core";
import { ENVIRONMENT_FILE } from "./environment-file.ts";

/** What holds tokens beside the configuration: no tool is shown it. Absolute. */
export function listSecretFiles({ folder }: LoadedConfig): readonly string[] {
  return [resolve(folder, ENVIRONMENT_FILE)];
}
