import type { z } from "zod";
import { type ConfigPath, isPlainObject, matchesPath } from "./config-path.ts";

/** Without these, what refers to them would be called wrong. */
const REFERRED_TO: readonly string[] = ["agents", "agents.*", "agents.*.default"];

/**
 * An input without the values that a schema refused, so that what it cannot judge is judged all the same and everybody
 * hears of all problems at once. `undefined` where leaving them out would make problems that are none: of whole agents,
 * of items of a list, and of the input itself.
 */
export function findSoundPart(input: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const faults = issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
    return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...path, key]) : [path];
  });
  if (faults.some(isNeeded)) return undefined;
  return faults.reduce<unknown>((rest, path) => withoutValueAt(rest, path), input);
}

function isNeeded(path: ConfigPath): boolean {
  return typeof (path.at(-1) ?? 0) === "number" || REFERRED_TO.some((pattern) => matchesPath(path, pattern));
}

function withoutValueAt(root: unknown, [step, ...below]: ConfigPath): unknown {
  if (Array.isArray(root)) return root.map((item, at) => (at === step ? withoutValueAt(item, below) : item));
  if (!isPlainObject(root)) return root;
  const isLast = below.length === 0;
  return Object.fromEntries(
    Object.entries(root)
      .filter(([key]) => !isLast || key !== step)
      .map(([key, value]) => [key, key === step ? withoutValueAt(value, below) : value]),
  );
}
