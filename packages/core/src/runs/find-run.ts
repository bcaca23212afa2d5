import { isUnfinished } from "@banyan/store";
import { formatPlainLine } from "../ports/plain-text.ts";
import type { RunRecord } from "./run-record.ts";

/** Of an id: what is shorter is meant as a number or a name. */
export const SHORTEST_PREFIX_CHARS = 4;
const MOST_NAMED = 5;

export type FoundRun =
  | { readonly status: "found"; readonly run: RunRecord }
  | { readonly status: "ambiguous"; readonly candidates: readonly RunRecord[] }
  | { readonly status: "none"; readonly choices: readonly RunRecord[] };

/**
 * The run that somebody means. `runs` as a listing showed them, or as `isNumbered: false` by creation. Asked in this
 * order: its number there, counted from 1; its id; `last`; its session's key, task name or label; the beginning of its
 * id, four characters at least. Where several have the same key or name and one is unfinished, that one is meant.
 */
export function findRun(
  runs: readonly RunRecord[],
  target: string,
  { isNumbered = true }: { readonly isNumbered?: boolean } = {},
): FoundRun {
  const given = target.trim();
  const numbered = isNumbered && /^[1-9]\d{0,8}$/.test(given) ? runs[Number(given) - 1] : undefined;
  const exact = numbered ?? runs.find(({ runId }) => runId === given) ?? (given === "last" ? runs.at(-1) : undefined);
  if (exact !== undefined) return { status: "found", run: exact };
  for (const isCalled of NAMES) {
    const candidates = runs.filter((run) => isCalled(run, given));
    const unfinished = candidates.filter(isUnfinished);
    if (candidates.length > 0) return choose(unfinished.length === 1 ? unfinished : candidates);
  }
  return given.length < SHORTEST_PREFIX_CHARS
    ? { status: "none", choices: runs }
    : choose(
        runs.filter(({ runId }) => runId.startsWith(given)),
        runs,
      );
}

const NAMES: readonly ((run: RunRecord, given: string) => boolean)[] = [
  (run, given) => run.childSessionKey === given,
  (run, given) => run.body.taskName === given,
  (run, given) => foldLabel(run.name) === foldLabel(given),
];

function choose(candidates: readonly RunRecord[], choices: readonly RunRecord[] = []): FoundRun {
  const [only, ...others] = candidates;
  if (only === undefined) return { status: "none", choices };
  return others.length === 0 ? { status: "found", run: only } : { status: "ambiguous", candidates };
}

/** Labels are typed as they are read. */
export function foldLabel(text: string): string {
  return formatPlainLine(text).toLowerCase();
}

/** Why none was found, and what could have been meant: the sentence behind `what was attempted: `. */
export function explainNoRun(found: Exclude<FoundRun, { status: "found" }>, target: string): string {
  const received = `received ${JSON.stringify(target)}`;
  if (found.status === "ambiguous")
    return `${found.candidates.length} are called so, ${received}; give the id of one: ${nameRuns(found.candidates)}`;
  if (found.choices.length === 0) return `there is none yet, ${received}`;
  return `none is called so, ${received}; there are ${nameRuns(found.choices)}`;
}

/** The newest ones, each with as much of its id as tells it apart from most. */
function nameRuns(runs: readonly RunRecord[]): string {
  const named = runs.slice(-MOST_NAMED).map(({ name, runId }) => `${formatPlainLine(name)} (${runId.slice(0, 8)})`);
  const more = runs.length - named.length;
  return `${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}
