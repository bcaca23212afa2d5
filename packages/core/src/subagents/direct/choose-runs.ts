import { explainNoRun, findRun } from "../../runs/find-run.ts";
import { isUnfinished, type RunRecord } from "../../runs/run-record.ts";

export type ChosenRuns =
  | { readonly kind: "chosen"; readonly runs: readonly RunRecord[] }
  /** The sentence behind `what was attempted: `. */
  | { readonly kind: "none"; readonly problem: string };

/** Every unfinished run, where several may be meant. */
const ALL = "all";

/**
 * The runs that an agent means, among those that a listing showed it. Of several runs of one sub-agent it is the newest.
 */
export function chooseRuns(
  listed: readonly RunRecord[],
  target: string,
  { takesAll }: { takesAll: boolean },
): ChosenRuns {
  const given = target.trim();
  if (given === ALL && takesAll) return { kind: "chosen", runs: listed.filter(isUnfinished) };
  const found = findRun(listed, given);
  if (found.status === "found") return { kind: "chosen", runs: [found.run] };
  if (found.status === "ambiguous") {
    const newest = found.candidates.at(-1);
    const keys = new Set(found.candidates.map(({ childSessionKey }) => childSessionKey));
    if (newest !== undefined && keys.size === 1) return { kind: "chosen", runs: [newest] };
  }
  return { kind: "none", problem: explainNoRun(found, given.slice(0, 200).toWellFormed()) };
}
