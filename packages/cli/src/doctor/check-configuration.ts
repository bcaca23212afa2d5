import { statSync } from "node:fs";
import { relative } from "node:path";
import { describeConfig, type LoadedConfig } from "@banyan/core";
import { findEnvironmentFile } from "../gateway/environment-file.ts";
import { countOf } from "../terminal/count-of.ts";
import type { Finding } from "./finding.ts";

const SUBJECT = "configuration";
/** Group and others. */
const FOREIGN_BITS = 0o077;

/** The configuration was read, so it is well: where it came from, and whether its tokens are for its owner alone. */
export function checkConfiguration(loaded: LoadedConfig, cwd: string): readonly Finding[] {
  const fromEnvironment = describeConfig(loaded).filter(({ source }) => source.startsWith("environment")).length;
  const file = loaded.file === undefined ? "no file: the defaults" : relative(cwd, loaded.file) || loaded.file;
  const variables = findEnvironmentFile(loaded.file, cwd);
  const origin = variables === undefined ? "the environment" : `the environment and ${relative(cwd, variables)}`;
  const rest = fromEnvironment === 0 ? "" : ` (${countOf(fromEnvironment, "value")} from ${origin})`;
  return [
    { subject: SUBJECT, level: "ok", text: `${file}${rest}` },
    ...(variables === undefined ? [] : checkPrivate(variables)),
  ];
}

function checkPrivate(file: string): readonly Finding[] {
  if ((statSync(file).mode & FOREIGN_BITS) === 0) return [];
  const text = `${file} holds tokens and can be read by other users`;
  return [{ subject: SUBJECT, level: "warning", text, cure: `chmod 600 ${file}` }];
}
