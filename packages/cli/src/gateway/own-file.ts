import { resolve } from "node:path";
import type { LoadedConfig } from "@banyan/core";

/** What a start reads beside the configuration: written by an agent, it would run with the next start. */
const READ_AT_START: readonly string[] = ["banyan.config.ts", "banyan.config.json", "package.json", "node_modules"];

/** The files and folders that the gateway itself is made of here, which no tool may write. Absolute. */
export function listOwnFiles({ file, folder, config }: LoadedConfig): readonly string[] {
  const plugins = config.plugins.map((plugin) => plugin.package).filter((name) => /^\.{0,2}\//.test(name));
  const names = [...READ_AT_START, ...plugins].map((name) => resolve(folder, name));
  return file === undefined ? names : [file, ...names];
}
