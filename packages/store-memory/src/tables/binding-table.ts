import type { BindingRow, NewBinding } from "@banyan/plugin-sdk/store";
import type { BindingRecord } from "./run-tables.ts";
import type { Tables } from "./tables.ts";

/** In the order in which they were made. */
export function listBindings({ runs }: Tables): readonly BindingRow[] {
  return listRecords(runs.bindings).map(({ row }) => row);
}

export function standsBound({ runs }: Tables, address: string, binding: NewBinding | null): boolean {
  const row = runs.bindings.get(address)?.row;
  if (row === undefined || binding === null) return row === undefined && binding === null;
  return row.id === binding.id && row.idleMs === binding.idleMs && row.maxAgeMs === binding.maxAgeMs;
}

/** Takes the place of what is there; the same one with other times keeps its age. `null` leaves nothing. */
export function writeBinding(tables: Tables, address: string, binding: NewBinding | null, nowMs: number): void {
  const { runs, routes } = tables;
  if (standsBound(tables, address, binding)) return;
  const standing = runs.bindings.get(address);
  runs.bindings.delete(address);
  if (binding !== null) {
    const isSame = standing?.row.id === binding.id;
    if (!isSame) runs.lastBindingNumber += 1;
    const row = Object.freeze({ ...binding, createdAtMs: isSame ? standing.row.createdAtMs : nowMs });
    runs.bindings.set(address, { number: isSame ? standing.number : runs.lastBindingNumber, row });
  }
  routes.revision += 1;
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
