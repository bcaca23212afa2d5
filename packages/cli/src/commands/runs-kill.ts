import { formatPlainLine, isUnfinished, type KilledRun, RUN_STATUS_WORDS, type RunRecord } from "@banyan/core";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { findStoredRun } from "../state/find-stored-run.ts";
import { killRun } from "../state/kill-run.ts";
import { nothingStored } from "../state/nothing-stored.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

/** `banyan runs kill`: a run and all below it ends. One that has ended already is an answer, not a failure. */
export async function runsKill(given: string, options: GlobalOptions & { readonly json?: boolean }): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const run = await readState(config, (read) => findStoredRun(read, given));
  if (run === undefined) throw nothingStored("stopping a run", config.stateDir, "run_not_found");
  const killed = isUnfinished(run) ? await killRun(config, run) : { runId: run.runId, killed: [] };
  if (options.json) return writeJson(killed);
  await writeLines([formatKilled(run, killed)]);
}

export function formatKilled(run: RunRecord, { runId, killed }: KilledRun): string {
  const name = formatPlainLine(run.name);
  if (killed.length === 0) {
    const how = isUnfinished(run) ? "has ended since then" : `had ended before: ${RUN_STATUS_WORDS[run.status]}`;
    return `  ${name} ${how}`;
  }
  const below = killed.filter((id) => id !== runId).length;
  return `  ${name} is stopped${below === 0 ? "" : `, and with it ${countOf(below, "run")} below it`}`;
}
