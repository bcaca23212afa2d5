import { type DeliveryRow, lostSenderError, type RecoverStep, type StepResults } from "@banyan/plugin-sdk/store";
import { changeDelivery } from "../tables/delivery-table.ts";
import { requeueDead } from "../tables/lane-move.ts";
import type { Tables } from "../tables/tables.ts";

export function applyRecover(tables: Tables, { owner }: RecoverStep, nowMs: number): StepResults["recover"] {
  const lanes = [...tables.ownedLanes].filter((lane) => lane.owner !== owner);
  for (const lane of lanes) requeueDead(tables, lane);
  const deliveries = findSending(tables).filter((row) => row.owner !== owner);
  for (const { id } of deliveries) changeDelivery(tables, id, (row) => recoverRow(row, nowMs));
  return { status: "done", lanes: lanes.length, deliveries: deliveries.length };
}

function findSending(tables: Tables): readonly DeliveryRow[] {
  const ids = tables.unsettledDeliveries.get("sending") ?? [];
  return [...ids].flatMap((id) => tables.deliveries.get(id)?.row ?? []);
}

function recoverRow(row: DeliveryRow, nowMs: number): DeliveryRow {
  const { owner: _, ...rest } = row;
  const recovered = { ...rest, nextAtMs: nowMs, error: lostSenderError };
  switch (row.policy) {
    case "effectively-once":
    case "at-least-once":
    case "anchor":
      return { ...recovered, state: "pending", maybeRepeated: true };
    case "at-most-once":
      return { ...recovered, state: "unknown" };
  }
}
