import { relative } from "node:path";
import { describeConfig, type LoadedConfig } from "@banyan/core";
import { countOf } from "../terminal/count-of.ts";
import type { Finding } from "./finding.ts";

/** The configuration was read, so it is well: where it came from. */
export function checkConfiguration(loaded: LoadedConfig, cwd: string): readonly Finding[] {
  const fromEnvironment = describeConfig(loaded).filter(({ source }) => source.startsWith("environment")).length;
  const file = loaded.file === undefined ? "no file: the defaults" : relative(cwd, loaded.file) || loaded.file;
  const rest = fromEnvironment === 0 ? "" : ` (${countOf(fromEnvironment, "value")} from the environment)`;
  return [{ subject: "configuration", level: "ok", text: `${file}${rest}` }];
}
