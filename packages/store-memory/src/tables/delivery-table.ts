import type { DeliveryRow, NewDelivery } from "@banyan/plugin-sdk/store";
import { addHistory } from "./history-table.ts";
import { type Tables, takePos } from "./tables.ts";

/** Writes what is neither there already nor kept back by `quiet`. The ids of the step's rows that stand in the store. */
export function writeDeliveries(tables: Tables, deliveries: readonly NewDelivery[], nowMs: number): readonly string[] {
  for (const delivery of deliveries) {
    if (!tables.deliveries.has(delivery.id) && !isQuiet(tables, delivery, nowMs)) insert(tables, delivery, nowMs);
  }
  return findStanding(tables, deliveries);
}

export function findStanding(tables: Tables, deliveries: readonly NewDelivery[]): readonly string[] {
  return deliveries.filter(({ id }) => tables.deliveries.has(id)).map(({ id }) => id);
}

export function changeDelivery(tables: Tables, id: string, change: (row: DeliveryRow) => DeliveryRow): void {
  const record = tables.deliveries.get(id);
  if (!record) throw new Error(`Changing delivery ${id}: it is not in the store.`);
  const row = Object.freeze(change(record.row));
  tables.deliveries.set(id, { ...record, row });
  tables.unsettledDeliveries.get(record.row.state)?.delete(id);
  tables.unsettledDeliveries.get(row.state)?.add(id);
}

/** The operator's word, which the row does not show. */
export function markDropped(tables: Tables, id: string, isDropped: boolean): void {
  const record = tables.deliveries.get(id);
  if (record) tables.deliveries.set(id, { ...record, isDropped });
}

function isQuiet(tables: Tables, { quiet }: NewDelivery, nowMs: number): boolean {
  if (!quiet) return false;
  const last = tables.quietDeliveries.get(quiet.key);
  if (last === undefined) return false;
  // What was written in what is now the future keeps nothing quiet: the clock was set back.
  const passedMs = nowMs - last.atMs;
  return passedMs >= 0 && passedMs < quiet.ms;
}

function bear(
  owner: string | undefined,
  undeliverable: string | undefined,
): Pick<DeliveryRow, "state" | "attempts" | "owner" | "error"> {
  if (undeliverable !== undefined) return { state: "undeliverable", attempts: 0, error: undeliverable };
  return owner === undefined ? { state: "pending", attempts: 0 } : { state: "sending", attempts: 1, owner };
}

function insert(tables: Tables, delivery: NewDelivery, nowMs: number): void {
  const { sendingOwner, quiet, undeliverable, claims, ...rest } = delivery;
  const isClaimed = claims !== undefined && !tables.claimants.has(claims);
  const row: DeliveryRow = Object.freeze({
    ...rest,
    ...(isClaimed ? { claims } : {}),
    ...bear(sendingOwner, undeliverable),
    maybeRepeated: false,
    nextAtMs: nowMs,
    createdAtMs: nowMs,
    pos: takePos(tables),
  });
  tables.deliveries.set(row.id, quiet ? { row, quietKey: quiet.key } : { row });
  tables.unsettledDeliveries.get(row.state)?.add(row.id);
  if (isClaimed) tables.claimants.set(claims, row.id);
  if (quiet) tables.quietDeliveries.set(quiet.key, { id: row.id, atMs: nowMs });
  const { pos, id, kind, address, body } = row;
  addHistory(tables, address, { pos, source: "delivery", id, kind, atMs: nowMs, body });
}
