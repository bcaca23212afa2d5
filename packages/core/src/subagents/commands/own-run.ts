import type { StoreReads } from "@banyan/store";
import { isUnfinished, parseRunRow, type RunRecord } from "../../runs/run-record.ts";

/** More than anybody has sent to a sub-agent that is still at the first. */
const NEWEST_RUNS = 20;

/** What a sub-agent's session works at, else what it did last; `undefined` for a session that is no sub-agent's. */
export async function readOwnRun(sessionKey: string, read: Pick<StoreReads, "runs">): Promise<RunRecord | undefined> {
  const rows = await read.runs({ childSessionKey: sessionKey, newest: true, limit: NEWEST_RUNS });
  const row =
    rows.find(({ state }) => state === "running" || state === "waiting") ?? rows.find(isUnfinished) ?? rows.at(-1);
  return row === undefined ? undefined : parseRunRow(row);
}
