import { isRunTransition, type RunRow } from "@banyan/store";
import type { Invariant } from "./invariant.ts";

/** What never changes any more once a run has ended. Keys and addresses may move. */
const FROZEN = ["state", "result", "endedReason", "endedAtMs"] as const;
/** Set once. */
const SETTLED = ["settledBy", "archivedAtMs", "startedAtMs"] as const;

/** I2: a run goes its legal way to exactly one end, which is final with its result. */
export function createRunLife(): Invariant {
  return {
    name: "I2",
    observe(seen, { data }) {
      if (seen.type === "quiet") {
        for (const { row } of data.runs.records.values())
          if (row.state !== "ended") return `${row.runId} is ${row.state} when all is quiet`;
        return undefined;
      }
      if (seen.type !== "step") return undefined;
      for (const { before, after } of seen.runs) {
        const wrong = after === undefined ? `${before?.runId} has vanished` : judge(before, after);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  };
}

function judge(before: RunRow | undefined, after: RunRow): string | undefined {
  const { runId } = after;
  if (before === undefined) return after.state === "reserved" ? undefined : `${runId} begins as ${after.state}`;
  if (before.state !== after.state && !isRunTransition(before.state, after.state))
    return `${runId} goes from ${before.state} to ${after.state}`;
  if (after.state === "ended" && after.result === undefined && after.endedReason !== "spawn-failed")
    return `${runId} has ended without a result`;
  if (before.body !== after.body && before.state !== "reserved") return `what ${runId} was asked changes`;
  const changed = before.state === "ended" ? FROZEN.find((name) => before[name] !== after[name]) : undefined;
  if (changed !== undefined) return `${changed} of ${runId} changes behind its end`;
  const reset = SETTLED.find((name) => before[name] !== undefined && before[name] !== after[name]);
  return reset === undefined ? undefined : `${reset} of ${runId} is set twice`;
}
