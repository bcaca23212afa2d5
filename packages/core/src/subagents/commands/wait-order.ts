import { isUnfinished } from "@banyan/store";
import type { RunRecord } from "../../runs/run-record.ts";
import { DEFAULT_WAIT_MS } from "../direct/wait-for-runs.ts";
import { LONGEST_WAIT_SECONDS } from "../tools/wait-argument.ts";
import { unquoteTarget } from "./command-target.ts";
import { chooseRun, type DirectedRuns, NO_RUNS } from "./directed-runs.ts";

/** For whom, and how long at most. */
export type WaitOrder =
  | { readonly kind: "wait"; readonly runs: readonly RunRecord[]; readonly timeoutMs: number }
  | { readonly kind: "none"; readonly answer: string };

/** Every unfinished one. */
const ALL = "all";
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
/** `words 1/3 90s`, `2 5m`, `all 30`, `2m`. */
const TIME_LAST = /^(?:([\s\S]*\S)\s+)?(\d{1,5})([smh]?)$/i;

/** `<target> [time]`: what names a sub-agent as a whole does so, also where it ends with a number. */
export function parseWaitOrder(directed: DirectedRuns, line: string, now: number): WaitOrder {
  const { runs } = directed;
  if (runs.length === 0) return { kind: "none", answer: NO_RUNS };
  const whole = chooseTargets(directed, line, now);
  if (!Array.isArray(whole)) {
    const [, target = "", count = "", unit = ""] = TIME_LAST.exec(line) ?? [];
    // A number alone is that of a sub-agent that is not there.
    if (count === "" || (target === "" && unit === "")) return { kind: "none", answer: whole };
    const seconds = Number(count) * (UNIT_SECONDS[unit.toLowerCase()] ?? 1);
    if (seconds > LONGEST_WAIT_SECONDS) return { kind: "none", answer: "That is too long to wait; 1h is the longest." };
    const targets = chooseTargets(directed, target, now);
    return Array.isArray(targets)
      ? { kind: "wait", runs: targets, timeoutMs: seconds * 1_000 }
      : { kind: "none", answer: targets };
  }
  return { kind: "wait", runs: whole, timeoutMs: DEFAULT_WAIT_MS };
}

/** The runs, or a sentence that says why there are none. */
function chooseTargets(directed: DirectedRuns, given: string, now: number): RunRecord[] | string {
  const target = unquoteTarget(given);
  if (target === "" || target.toLowerCase() === ALL) {
    const atWork = directed.runs.filter(isUnfinished);
    return atWork.length === 0 ? directed.runs.slice(-1) : atWork;
  }
  const chosen = chooseRun(directed, target, now);
  return chosen.kind === "chosen" ? [chosen.run] : chosen.answer;
}
