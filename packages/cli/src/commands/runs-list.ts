import { decideWorkState, measureRunMs, RUN_STATUS_WORDS, type RunRecord, type TurnState } from "@banyan/core";
import { formatDuration } from "@banyan/plugin-sdk";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { findSession } from "../state/find-session.ts";
import { listNewestRuns, type NewestRuns } from "../state/list-runs.ts";
import { readState } from "../state/read-state.ts";
import { shortenText } from "../terminal/plain-text.ts";
import { formatAge } from "../terminal/relative-time.ts";
import { measureShortIds } from "../terminal/short-ids.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const TITLES: readonly string[] = ["ID", "NAME", "STATE", "TIME", "TOKENS", "ASKED FOR", "BY"];
const NAME_LIMIT_CHARS = 30;

export interface RunsListOptions extends GlobalOptions {
  readonly session?: string;
  readonly state?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `banyan runs list`: the runs that were asked for last first. */
export async function runsList({ session, state, limit, json, config: file }: RunsListOptions): Promise<void> {
  const { config } = await loadStateConfig(file);
  const found = await readState(config, async (read) => {
    const requesterSessionKey = session === undefined ? undefined : (await findSession(read, session)).key;
    return listNewestRuns(read, { requesterSessionKey, state, limit });
  });
  const { runs, isCut } = found ?? { runs: [], isCut: false };
  const now = Date.now();
  if (json) return writeJson(runs.map((run) => formatRunJson(run, now)));
  await writeLines(formatRuns({ runs, isCut }, { now, stream: process.stdout }));
}

/** One flat record: the row, what it was asked, and what came of it. `turn`: of its session, where that was looked up. */
export function formatRunJson(run: RunRecord, now: number, turn?: TurnState): object {
  const { body, dedupe: _dedupe, runId, name, status, ...rest } = run;
  return {
    runId,
    name,
    status,
    workState: decideWorkState(run, turn),
    durationMs: measureRunMs(run, now),
    ...body,
    ...rest,
  };
}

export function formatRuns(
  { runs, isCut }: NewestRuns,
  { now, stream }: { readonly now: number; readonly stream: NodeJS.WritableStream },
): readonly string[] {
  if (runs.length === 0) return ["  no runs: /spawn in a chat or an agent's tool opens one"];
  const idChars = measureShortIds(runs.map(({ runId }) => runId));
  const lines = runs.map((run) => [
    shortenText(run.runId, idChars + 1),
    shortenText(run.name, NAME_LIMIT_CHARS),
    RUN_STATUS_WORDS[run.status],
    formatDuration(measureRunMs(run, now)),
    run.completion?.totalTokens === undefined ? "-" : String(run.completion.totalTokens),
    formatAge(now - run.createdAtMs),
    run.requesterSessionKey,
  ]);
  return [...formatTable(TITLES, lines, stream), ...(isCut ? ["  and more: --limit shows them"] : [])];
}
