import { BanyanError, explainNoRun, type FoundRun, findRun, parseRunOutline, type RunRecord } from "@banyan/core";
import type { StoreReads } from "@banyan/store";
import { cutEllipsis } from "../terminal/plain-text.ts";
import { listNewestRuns } from "./list-runs.ts";

/** Among so many, the newest ones, a run is looked for by what people call it. By its id it is found among all. */
const SEARCHED_RUNS = 10_000;

/**
 * Finds the one run that a person means, of whatever session: its id or the beginning of it, its session's key, its label
 * or its task's name, or `last`. Throws `run_not_found` for none and for several. Task and result are cut.
 */
export async function findStoredRun(read: StoreReads, typed: string): Promise<RunRecord> {
  const found = await lookUpRun(read, typed);
  if (found.status === "found") return found.run;
  throw describeNoRun(found, typed);
}

/** The same, where it need not be a run: none is no failure, several are. */
export async function findStoredRunIfAny(read: StoreReads, typed: string): Promise<RunRecord | undefined> {
  const found = await lookUpRun(read, typed);
  if (found.status === "ambiguous") throw describeNoRun(found, typed);
  return found.status === "found" ? found.run : undefined;
}

async function lookUpRun(read: StoreReads, typed: string): Promise<FoundRun> {
  const given = cutEllipsis(typed);
  const exact = await read.run(given);
  if (exact !== undefined) return { status: "found", run: parseRunOutline(exact) };
  const { runs } = await listNewestRuns(read, { limit: SEARCHED_RUNS });
  return findRun(runs.toReversed(), given, { isNumbered: false });
}

function describeNoRun(found: Exclude<FoundRun, { status: "found" }>, typed: string): BanyanError {
  const cure = found.status === "none" ? "; banyan runs list shows them" : "";
  return new BanyanError("run_not_found", `looking up a run: ${explainNoRun(found, typed)}${cure}`);
}
