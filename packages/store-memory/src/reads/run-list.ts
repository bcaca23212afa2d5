import type { BindingRow, RunRow, StoreReads, TimerRow } from "@banyan/plugin-sdk/store";
import { listBindings } from "../tables/binding-table.ts";
import { compareRuns, countRuns, findRunIds, UNSETTLED } from "../tables/run-table.ts";
import type { RunIndex, RunRecord } from "../tables/run-tables.ts";
import type { Tables } from "../tables/tables.ts";

type RunQuery = Parameters<StoreReads["runs"]>[0];
type TimerQuery = Parameters<StoreReads["timers"]>[0];

/** By creation. */
export function listRuns(tables: Tables, query: RunQuery): readonly RunRow[] {
  const { afterRunId, newest = false, limit } = query;
  const border = afterRunId === undefined ? undefined : tables.runs.records.get(afterRunId);
  if (afterRunId !== undefined && !border) return [];
  const isWithin = ({ number }: RunRecord) => !border || (newest ? number < border.number : number > border.number);
  const found = findCandidates(tables, query).filter(isWithin).sort(compareRuns);
  const page = newest ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
  return page.map(({ row }) => row);
}

/** In no order. Begins with what the narrowest index holds, so that what ended long ago is seldom passed. */
function findCandidates(tables: Tables, query: RunQuery): readonly RunRecord[] {
  const { records } = tables.runs;
  const sets = listIndexed(query).map((keys) => keys.map(([index, key]) => findRunIds(tables, index, key)));
  if (sets.length === 0) return [...records.values()];
  const [narrowest = [], ...others] = sets.toSorted((a, b) => countIds(a) - countIds(b));
  return narrowest
    .flatMap((ids) => [...ids])
    .filter((id) => others.every((ids) => ids.some((set) => set.has(id))))
    .flatMap((id) => records.get(id) ?? []);
}

function countIds(sets: readonly ReadonlySet<string>[]): number {
  return sets.reduce((sum, ids) => sum + ids.size, 0);
}

/** One list for each thing that must hold; one of its keys is enough. */
function listIndexed(query: RunQuery): readonly (readonly (readonly [RunIndex, string])[])[] {
  const { states, requesterSessionKey, childSessionKey, rootSessionKey, parentRunId, toldSessionKey, unsettled } =
    query;
  const one = (index: RunIndex, key: string | undefined) => (key === undefined ? [] : [[[index, key] as const]]);
  return [
    ...(states === undefined ? [] : [[...new Set(states)].map((state) => ["state", state] as const)]),
    ...one("requester", requesterSessionKey),
    ...one("child", childSessionKey),
    ...one("root", rootSessionKey),
    ...one("parent", parentRunId),
    ...one("told", toldSessionKey),
    ...one("unsettled", unsettled ? UNSETTLED : undefined),
  ];
}

export function countUnfinished(
  tables: Tables,
  { requesterSessionKey, rootSessionKey }: Parameters<StoreReads["unfinishedRuns"]>[0],
): { readonly ofRequester: number; readonly ofTree: number } {
  return {
    ofRequester: countRuns(tables, "unfinishedRequester", requesterSessionKey),
    ofTree: countRuns(tables, "unfinishedRoot", rootSessionKey),
  };
}

export function listTimers({ runs }: Tables, { dueBeforeMs, limit }: TimerQuery): readonly TimerRow[] {
  return [...runs.timers.values()]
    .filter(({ dueAtMs }) => dueBeforeMs === undefined || dueAtMs <= dueBeforeMs)
    .sort((a, b) => a.dueAtMs - b.dueAtMs || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

export function listBindingsOf(tables: Tables, sessionKey: string): readonly BindingRow[] {
  return listBindings(tables).filter((row) => row.sessionKey === sessionKey);
}
