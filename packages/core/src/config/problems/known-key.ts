import { type ConfigPath, isPlainObject } from "./config-path.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { findNearestWord } from "./nearest-word.ts";

/** How many known keys a message lists when none is near. */
const LISTED_LIMIT = 12;

/** The keys that a JSON Schema names for the object at a path; empty where it names none. */
export function listSchemaKeys(schema: unknown, path: ConfigPath): readonly string[] {
  const found = path.reduce<readonly unknown[]>(
    (schemas, step) => schemas.flatMap((one) => listBelow(one, step)),
    listBranches(schema),
  );
  return found.flatMap((one) =>
    isPlainObject(one) && isPlainObject(one.properties) ? Object.keys(one.properties) : [],
  );
}

/** Says that a key is not known, and which known one was most likely meant. Its value is never repeated. */
export function buildUnknownKeyProblem(path: ConfigPath, known: readonly string[]): ConfigProblem {
  const nearest = findNearestWord(String(path.at(-1)), known);
  const listed = [...new Set(known)].slice(0, LISTED_LIMIT).join(", ");
  const cure = nearest === undefined ? listKnown(listed) : `did you mean "${nearest}"?`;
  return { path, wrong: "unknown key", cure };
}

function listKnown(listed: string): string {
  return listed === "" ? "remove it" : `remove it; known here: ${listed}`;
}

/** A union's branches stand for it, also inside each other. */
function listBranches(schema: unknown): readonly unknown[] {
  if (!isPlainObject(schema)) return [];
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [schema, ...branches.flatMap(listBranches)];
}

function listBelow(schema: unknown, step: string | number): readonly unknown[] {
  if (!isPlainObject(schema)) return [];
  if (typeof step === "number") return listBranches(schema.items);
  const { properties, additionalProperties } = schema;
  const isNamed = isPlainObject(properties) && Object.hasOwn(properties, step);
  return listBranches(isNamed ? properties[step] : additionalProperties);
}
