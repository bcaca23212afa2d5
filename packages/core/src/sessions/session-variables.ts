import type { SessionEntry } from "@banyan/plugin-sdk";

/** Of `context` and `variables` together, as JSON: they are read and written with the record, at every turn. */
export const SESSION_DATA_LIMIT_BYTES: number = 64 * 1024;

export type VariableChange =
  | { readonly kind: "ok"; readonly entry: SessionEntry }
  | { readonly kind: "too_large"; readonly bytes: number };

/** The record with these variables set; `null` takes one away. What is not named stays. */
export function setVariables(entry: SessionEntry, set: Readonly<Record<string, unknown>>, now: number): VariableChange {
  const variables = Object.fromEntries(
    Object.entries({ ...entry.variables, ...set }).filter(([, value]) => value !== null),
  );
  const bytes = Buffer.byteLength(JSON.stringify({ context: entry.context ?? {}, variables }));
  if (bytes > SESSION_DATA_LIMIT_BYTES) return { kind: "too_large", bytes };
  return { kind: "ok", entry: { ...entry, variables, updatedAt: now } };
}

/** Those of these names, all where none are named; `null`: it is not set. */
export function getVariables(
  { variables = {} }: SessionEntry,
  names: readonly string[] | undefined,
): Readonly<Record<string, unknown>> {
  if (names === undefined) return variables;
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(variables, name) ? variables[name] : null]));
}
