import type { RunEndReason, RunIdentity, RunRow } from "@banyan/plugin-sdk/store";
import type { RunIndex, RunRecord } from "./run-tables.ts";
import type { Tables } from "./tables.ts";

/** The one key of `unsettled`. */
export const UNSETTLED = "unsettled";

export function findRun({ runs }: Tables, runId: string): RunRow | undefined {
  return runs.records.get(runId)?.row;
}

export function getRun(tables: Tables, runId: string): RunRow {
  const row = findRun(tables, runId);
  if (!row) throw new Error(`Reading run ${runId}: a step was let through that names it, but it is not in the store.`);
  return row;
}

export function findRunByDedupe(tables: Tables, dedupe: string): RunRow | undefined {
  const runId = tables.runs.idByDedupe.get(dedupe);
  return runId === undefined ? undefined : findRun(tables, runId);
}

export function insertRun({ runs }: Tables, identity: RunIdentity, nowMs: number): RunRow {
  runs.lastNumber += 1;
  const row: RunRow = Object.freeze({ ...identity, state: "reserved", createdAtMs: nowMs, changedAtMs: nowMs });
  runs.records.set(row.runId, { number: runs.lastNumber, row });
  runs.idByDedupe.set(row.dedupe, row.runId);
  addToIndexes(runs, row);
  return row;
}

type RunChange = Partial<Omit<RunRow, "runId" | "dedupe" | "createdAtMs">>;

export function changeRun({ runs }: Tables, runId: string, change: RunChange): RunRow {
  const record = runs.records.get(runId);
  if (!record) throw new Error(`Changing run ${runId}: it is not in the store.`);
  const row = Object.freeze({ ...record.row, ...change });
  dropFromIndexes(runs, record.row);
  runs.records.set(runId, { ...record, row });
  addToIndexes(runs, row);
  if (isUndone(row) && runs.idByDedupe.get(row.dedupe) === runId) runs.idByDedupe.delete(row.dedupe);
  return row;
}

export function removeRun({ runs }: Tables, row: RunRow): void {
  dropFromIndexes(runs, row);
  runs.records.delete(row.runId);
  if (runs.idByDedupe.get(row.dedupe) === row.runId) runs.idByDedupe.delete(row.dedupe);
}

/** An item of it is being claimed. */
export function startRun(tables: Tables, runId: string, nowMs: number): void {
  const row = findRun(tables, runId);
  if (row?.state !== "accepted" && row?.state !== "waiting") return;
  changeRun(tables, runId, { state: "running", changedAtMs: nowMs, startedAtMs: row.startedAtMs ?? nowMs });
}

export function endRun(
  tables: Tables,
  runId: string,
  end: { readonly endedReason: RunEndReason } & RunChange,
  nowMs: number,
): void {
  changeRun(tables, runId, { ...end, state: "ended", changedAtMs: nowMs, endedAtMs: nowMs });
}

/** It never came to be; its `dedupe` is free. */
export function isUndone({ endedReason }: RunRow): boolean {
  return endedReason === "spawn-failed";
}

/** A run that is gone ended long ago. */
export function hasEnded(tables: Tables, runId: string): boolean {
  return (findRun(tables, runId)?.state ?? "ended") === "ended";
}

export function countRuns({ runs }: Tables, index: RunIndex, key: string): number {
  return runs.indexes[index].get(key)?.size ?? 0;
}

/** In no order. */
export function findRunIds({ runs }: Tables, index: RunIndex, key: string): ReadonlySet<string> {
  return runs.indexes[index].get(key) ?? new Set();
}

/** Whether a run waits for children of its own. */
export function hasAwaitedChildren(tables: Tables, runId: string): boolean {
  return [...findRunIds(tables, "unfinishedParent", runId)].some((id) => findRun(tables, id)?.isAwaited === true);
}

/** What names the session of a run goes on under its new key. */
export function moveRunKeys(tables: Tables, from: string, to: string): void {
  const named = (["child", "requester", "root", "told"] as const).flatMap((index) => [
    ...findRunIds(tables, index, from),
  ]);
  const move = (key: string) => (key === from ? to : key);
  for (const runId of new Set(named)) {
    const row = getRun(tables, runId);
    changeRun(tables, runId, {
      childSessionKey: move(row.childSessionKey),
      requesterSessionKey: move(row.requesterSessionKey),
      rootSessionKey: move(row.rootSessionKey),
      ...(row.toldSessionKey === undefined ? {} : { toldSessionKey: move(row.toldSessionKey) }),
    });
  }
}

/** How many go on elsewhere. */
export function moveRunAddresses(tables: Tables, move: (address: string) => string): number {
  const moved = [...tables.runs.records.values()].filter(
    ({ row }) => move(row.route) !== row.route || (row.target !== undefined && move(row.target) !== row.target),
  );
  for (const { row } of moved) {
    const target = row.target === undefined ? {} : { target: move(row.target) };
    changeRun(tables, row.runId, { route: move(row.route), ...target });
  }
  return moved.length;
}

type RunIndexes = Tables["runs"]["indexes"];

function addToIndexes({ indexes }: { indexes: RunIndexes }, row: RunRow): void {
  for (const [index, key] of listKeys(row)) {
    const ids = indexes[index].get(key) ?? new Set();
    ids.add(row.runId);
    indexes[index].set(key, ids);
  }
}

function dropFromIndexes({ indexes }: { indexes: RunIndexes }, row: RunRow): void {
  for (const [index, key] of listKeys(row)) {
    const ids = indexes[index].get(key);
    ids?.delete(row.runId);
    if (ids?.size === 0) indexes[index].delete(key);
  }
}

function listKeys(row: RunRow): readonly (readonly [index: RunIndex, key: string])[] {
  const { requesterSessionKey, childSessionKey, rootSessionKey, parentRunId, toldSessionKey } = row;
  const always: readonly (readonly [RunIndex, string])[] = [
    ["state", row.state],
    ["requester", requesterSessionKey],
    ["child", childSessionKey],
    ["root", rootSessionKey],
    ...(parentRunId === undefined ? [] : [["parent", parentRunId] as const]),
    ...(toldSessionKey === undefined ? [] : [["told", toldSessionKey] as const]),
  ];
  if (row.state === "ended") return row.settledBy === undefined ? [...always, ["unsettled", UNSETTLED]] : always;
  return [
    ...always,
    ["unfinishedRequester", requesterSessionKey],
    ["unfinishedChild", childSessionKey],
    ["unfinishedRoot", rootSessionKey],
    ...(parentRunId === undefined ? [] : [["unfinishedParent", parentRunId] as const]),
  ];
}

export function compareRuns(a: RunRecord, b: RunRecord): number {
  return a.number - b.number;
}
