import type { TargetSuggestion } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import { formatPlainLine } from "../../ports/plain-text.ts";
import { foldLabel, SHORTEST_PREFIX_CHARS } from "../../runs/find-run.ts";
import { readRunTree } from "../../runs/read-run-tree.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { listRunsByAge } from "../../runs/run-tree.ts";
import { describeState } from "./run-rows.ts";

/** As many as Discord shows, which shows the fewest of those that show any ("Application Commands": 25 choices). */
const MOST_SUGGESTIONS = 25;
const LONGEST_LABEL_CHARS = 100;
/** Nobody looks further back by typing. */
const MOST_RUNS = 1_000;

/** What a person could mean as a target in a conversation: the sub-agents below its session, the newest first. */
export async function suggestTargets(
  { sessionKey, typed, now }: { readonly sessionKey: string; readonly typed: string; readonly now: number },
  read: Pick<StoreReads, "runs">,
): Promise<readonly TargetSuggestion[]> {
  const { nodes } = await readRunTree(read, { sessionKey, mostRuns: MOST_RUNS });
  const begin = foldLabel(typed);
  const numbered = listRunsByAge(nodes).map((run, at) => ({ run, number: String(at + 1) }));
  return numbered
    .filter(({ run, number }) => number === begin || isMeant(run, begin))
    .toReversed()
    .slice(0, MOST_SUGGESTIONS)
    .map(({ run }) => ({ value: run.runId, label: buildLabel(run, now) }));
}

function isMeant({ runId, name, body: { taskName = "" } }: RunRecord, begin: string): boolean {
  const isId = begin.length >= SHORTEST_PREFIX_CHARS && runId.startsWith(begin);
  return isId || foldLabel(name).startsWith(begin) || (taskName !== "" && taskName.startsWith(begin));
}

/** `census · running, 12 s so far`; of a long name the state is kept. */
function buildLabel(run: RunRecord, now: number): string {
  const state = ` · ${describeState(run, now)}`;
  const name = formatPlainLine(run.name);
  const room = LONGEST_LABEL_CHARS - state.length;
  return (name.length <= room ? name : `${name.slice(0, room - 1).toWellFormed()}…`) + state;
}
