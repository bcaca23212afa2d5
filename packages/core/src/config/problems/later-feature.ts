import { type ConfigPath, isPlainObject, matchesPath } from "./config-path.ts";
import { type ConfigProblem, formatReceived } from "./config-problem.ts";

/**
 * Keys that the configuration has a place for and whose feature is not there yet, one line each: delete the line when
 * the feature arrives. `path=value` refuses one value of a key whose other values work.
 */
export const LATER_FEATURES: readonly (readonly [pattern: string, feature: string])[] = [
  ["telemetry", "telemetry comes with metrics and traces"],
  ["session.ttlMinutes", "expiry comes with session resets"],
  ["session.reset", "resets come with session maintenance"],
  ["session.resetByType", "resets come with session maintenance"],
  ["session.resetByChannel", "resets come with session maintenance"],
  ["session.maintenance", "maintenance comes with session resets"],
  ["store.driver=postgres", "PostgreSQL comes after the single-machine product"],
  ["store.url", "PostgreSQL comes after the single-machine product"],
];

/** Takes what comes later out of an input, so that a schema of what works now can judge the rest. */
export function refuseLaterFeatures(input: unknown): {
  readonly rest: unknown;
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = [];
  return { rest: withoutLater(input, [], problems), problems };
}

/** The keys of the table that may stand under a path. They are known, though refused. */
export function listLaterKeys(path: ConfigPath): readonly string[] {
  return LATER_FEATURES.flatMap(([pattern]) => {
    const steps = (pattern.split("=")[0] ?? "").split(".");
    const parent = steps.slice(0, -1).join(".");
    const isHere = path.length === 0 ? parent === "" : steps.length === path.length + 1 && matchesPath(path, parent);
    return isHere ? steps.slice(-1) : [];
  });
}

function withoutLater(value: unknown, path: ConfigPath, problems: ConfigProblem[]): unknown {
  if (Array.isArray(value)) return value.map((item, at) => withoutLater(item, [...path, at], problems));
  if (!isPlainObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const place = [...path, key];
    const problem = findRefusal(place, item);
    if (problem === undefined) kept.push([key, withoutLater(item, place, problems)]);
    else problems.push(problem);
  }
  return Object.fromEntries(kept);
}

function findRefusal(path: ConfigPath, value: unknown): ConfigProblem | undefined {
  for (const [pattern, feature] of LATER_FEATURES) {
    const [key = "", refused] = pattern.split("=");
    if (!matchesPath(path, key) || (refused !== undefined && refused !== value)) continue;
    const wrong = `not supported yet: ${feature}`;
    if (refused === undefined) return { path, wrong, cure: "remove it" };
    return { path, wrong, received: formatReceived(value), cure: "remove it or use another value" };
  }
  return undefined;
}
