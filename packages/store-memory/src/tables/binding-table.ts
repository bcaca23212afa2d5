import type { BindEffect, BindingRow, NewBinding } from "@banyan/plugin-sdk/store";
import type { BindingRecord } from "./run-tables.ts";
import type { Tables } from "./tables.ts";

/** In the order in which they were made. */
export function listBindings({ runs }: Tables): readonly BindingRow[] {
  return listRecords(runs.bindings).map(({ row }) => row);
}

export function standsBound({ runs }: Tables, effect: BindEffect): boolean {
  const row = runs.bindings.get(effect.address)?.row;
  return effect.binding === null ? row?.id !== effect.bindingId : isSame(row, effect.binding);
}

function isSame(row: BindingRow | undefined, { id, idleMs, maxAgeMs }: NewBinding): boolean {
  return row !== undefined && row.id === id && row.idleMs === idleMs && row.maxAgeMs === maxAgeMs;
}

/** Takes the place of what is there; the same one with other times keeps its age. */
export function writeBinding({ runs, routes }: Tables, binding: NewBinding, nowMs: number): void {
  const { address } = binding;
  const standing = runs.bindings.get(address);
  if (isSame(standing?.row, binding)) return;
  runs.bindings.delete(address);
  const kept = standing?.row.id === binding.id ? standing : undefined;
  if (kept === undefined) runs.lastBindingNumber += 1;
  const row = Object.freeze({ ...binding, createdAtMs: kept?.row.createdAtMs ?? nowMs });
  runs.bindings.set(address, { number: kept?.number ?? runs.lastBindingNumber, row });
  routes.revision += 1;
}

export function removeBinding({ runs, routes }: Tables, address: string): void {
  if (runs.bindings.delete(address)) routes.revision += 1;
}

/** What leads to a session: all, or of one kind. */
export function removeBindings({ runs, routes }: Tables, sessionKey: string, kind?: BindingRow["kind"]): void {
  const gone = [...runs.bindings.values()].filter(
    ({ row }) => row.sessionKey === sessionKey && (kind === undefined || row.kind === kind),
  );
  for (const { row } of gone) runs.bindings.delete(row.address);
  if (gone.length > 0) routes.revision += 1;
}

export function moveBindingKeys({ runs, routes }: Tables, from: string, to: string): void {
  const moved = [...runs.bindings.values()].filter(({ row }) => row.sessionKey === from);
  for (const record of moved) putBinding(runs.bindings, record, { sessionKey: to });
  if (moved.length > 0) routes.revision += 1;
}

/** One whose new address is taken goes. How many do not stand where they stood. */
export function moveBindingAddresses({ runs, routes }: Tables, move: (address: string) => string): number {
  const moved = listRecords(runs.bindings).filter(({ row }) => move(row.address) !== row.address);
  for (const record of moved) {
    const address = move(record.row.address);
    runs.bindings.delete(record.row.address);
    if (!runs.bindings.has(address)) putBinding(runs.bindings, record, { address });
  }
  if (moved.length > 0) routes.revision += 1;
  return moved.length;
}

type Bindings = Map<string, BindingRecord>;

function listRecords(bindings: Bindings): readonly BindingRecord[] {
  return [...bindings.values()].sort((a, b) => a.number - b.number);
}

function putBinding(bindings: Bindings, { number, row }: BindingRecord, change: Partial<BindingRow>): void {
  const next = Object.freeze({ ...row, ...change });
  bindings.set(next.address, { number, row: next });
}
