import type { SetLinksStep, SettlePairingStep, StepResults } from "@banyan/plugin-sdk/store";
import { writeAudit } from "../tables/audit-table.ts";
import { writeDeliveries } from "../tables/delivery-table.ts";
import { standsLinked, writeLinks } from "../tables/link-table.ts";
import { findPairing, setPairingState } from "../tables/pairing-table.ts";
import type { Tables } from "../tables/tables.ts";
import { standsWritten } from "../tables/writer-table.ts";

export function applySettlePairing(
  tables: Tables,
  step: SettlePairingStep,
  nowMs: number,
): StepResults["settle_pairing"] {
  const row = findPairing(tables, step, nowMs);
  if (!row) return { status: "refused", reason: "not_found" };
  if (row.state === step.to) return { status: "already" };
  if (step.routeRevision !== undefined && step.routeRevision !== tables.routes.revision)
    return { status: "refused", reason: "stale_route" };
  setPairingState(tables, row, step.to);
  writeDeliveries(tables, step.deliveries, nowMs);
  writeAudit(tables, step.audit, nowMs);
  return { status: "done" };
}

export function applySetLinks(tables: Tables, step: SetLinksStep, nowMs: number): StepResults["set_links"] {
  if (step.writes.every((write) => standsLinked(tables, write))) return { status: "already" };
  if (step.routeRevision !== tables.routes.revision) return { status: "refused", reason: "stale_route" };
  if (!standsWritten(tables, step.expectWriters)) return { status: "refused", reason: "conflict" };
  writeLinks(tables, step.writes, nowMs);
  writeAudit(tables, step.audit, nowMs);
  return { status: "done" };
}
