import type { LoadedConfig } from "@banyan/core";
import type { Finding } from "./finding.ts";

/** Variables that the configuration has a place for and nothing reads yet; delete the line when something does. */
const UNUSED_YET: readonly (readonly [name: string, why: string])[] = [
  ["DATABASE_URL", "PostgreSQL comes later, and everything is stored in the state directory"],
];

/** Whoever sets a variable that is documented counts on it: those without an effect yet are told, unless a plugin reads them. */
export function checkEnvironment(
  { manifests }: Pick<LoadedConfig, "manifests">,
  env: Readonly<Record<string, string | undefined>>,
): readonly Finding[] {
  const isRead = (name: string) => manifests.some(({ env: variables }) => Object.hasOwn(variables, name));
  return UNUSED_YET.flatMap(([name, why]) => {
    if ((env[name] ?? "") === "" || isRead(name)) return [];
    const text = `${name} is set and has no effect: ${why}`;
    return [{ subject: "environment", level: "warning", text, cure: `remove ${name} if it is meant for Banyan` }];
  });
}
