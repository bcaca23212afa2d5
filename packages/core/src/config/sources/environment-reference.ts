import { type ConfigPath, formatPath, isPlainObject } from "../problems/config-path.ts";
import type { ConfigProblem } from "../problems/config-problem.ts";
import { type Environment, findForm, findVariable, parseEnvironmentValue } from "./environment-value.ts";
import type { ValueSource } from "./value-source.ts";

const PREFIX = "env:";
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Deeper nesting is a cycle or a mistake; no setting is deeper than ten. */
const DEPTH_LIMIT = 32;

export interface ResolvedInput {
  readonly value: unknown;
  readonly sources: ReadonlyMap<string, ValueSource>;
  /** The texts that came from variables, by path. */
  readonly references: readonly (readonly [ConfigPath, string])[];
  readonly problems: readonly ConfigProblem[];
}

/** `leave_out`: as if the key were not written, for who only looks at what a gateway has stored. */
export type UnsetVariables = "refuse" | "leave_out";

/**
 * Copies what a configuration file gives: `env:NAME` becomes the variable's value, keys without a value are left out,
 * and the source of every value is noted. `unset` says what becomes of a variable that is not set. What is no list and no plain object (a plugin may want a function) stays.
 */
export function resolveReferences(input: unknown, env: Environment, unset: UnsetVariables = "refuse"): ResolvedInput {
  const walk: Walk = { env, unset, sources: new Map(), references: [], problems: [] };
  return { value: copyValue(input, [], walk), ...walk };
}

interface Walk {
  readonly env: Environment;
  readonly unset: UnsetVariables;
  readonly sources: Map<string, ValueSource>;
  readonly references: (readonly [ConfigPath, string])[];
  readonly problems: ConfigProblem[];
}

function copyValue(value: unknown, path: ConfigPath, walk: Walk): unknown {
  const isDeep = path.length > DEPTH_LIMIT && typeof value === "object" && value !== null;
  if (isDeep) return refuse(path, walk, `nested deeper than ${DEPTH_LIMIT}`, "write it flatter");
  if (Array.isArray(value)) {
    note(path, "file", walk);
    return value.map((item, at) => copyValue(item, [...path, at], walk)).filter((item) => item !== undefined);
  }
  if (isPlainObject(value)) return copyObject(value, path, walk);
  if (typeof value === "string" && value.startsWith(PREFIX)) return resolveReference(value, path, walk);
  if (value !== undefined) note(path, "file", walk);
  return value;
}

function copyObject(value: Readonly<Record<string, unknown>>, path: ConfigPath, walk: Walk): unknown {
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const place = [...path, key];
    const isKey = key !== "__proto__";
    const copy = isKey ? copyValue(item, place, walk) : refuse(place, walk, "not a valid key", "remove it");
    return copy === undefined ? [] : [[key, copy] as const];
  });
  return Object.fromEntries(entries);
}

function resolveReference(text: string, path: ConfigPath, walk: Walk): unknown {
  const name = text.slice(PREFIX.length).trim();
  if (!VARIABLE_NAME.test(name)) {
    return refuse(path, walk, "no variable name after env:", 'write "env:NAME"');
  }
  const found = findVariable(walk.env, name);
  if (found === undefined) {
    if (walk.unset === "leave_out") return undefined;
    return refuse(path, walk, `the variable ${name} is not set`, `set ${name} or write the value`);
  }
  note(path, `environment ${name}`, walk);
  walk.references.push([path, found]);
  return parseEnvironmentValue(found, findForm(path));
}

/** A list stands as a whole, and what a variable gave inside it for itself. */
function note(path: ConfigPath, source: ValueSource, walk: Walk): void {
  const isInList = path.some((step) => typeof step === "number");
  if (source !== "file" || !isInList) walk.sources.set(formatPath(path), source);
}

function refuse(path: ConfigPath, walk: Walk, wrong: string, cure: string): undefined {
  walk.problems.push({ path, wrong, cure });
  return undefined;
}
