import { isUnfinished } from "@banyan/store";
import { explainNoRun } from "../../runs/find-run.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { findDirectedRun } from "./find-directed-run.ts";

export type ChosenRuns =
  | { readonly kind: "chosen"; readonly runs: readonly RunRecord[] }
  /** The sentence behind `what was attempted: `. */
  | { readonly kind: "none"; readonly problem: string };

/** Every unfinished run, where several may be meant. */
const ALL = "all";

/** The runs that an agent means, among those that a listing showed it. */
export function chooseRuns(
  listed: readonly RunRecord[],
  target: string,
  { takesAll }: { takesAll: boolean },
): ChosenRuns {
  const given = target.trim();
  if (given === ALL && takesAll) return { kind: "chosen", runs: listed.filter(isUnfinished) };
  const found = findDirectedRun(listed, given);
  if (found.status === "found") return { kind: "chosen", runs: [found.run] };
  return { kind: "none", problem: explainNoRun(found, given.slice(0, 200).toWellFormed()) };
}
