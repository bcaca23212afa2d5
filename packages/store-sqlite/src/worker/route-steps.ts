import type { SetLinksStep, SettlePairingStep, StepResults } from "@banyan/store";
import type { Tables } from "./tables.ts";

export function runSettlePairing(
  tables: Tables,
  step: SettlePairingStep,
  nowMs: number,
): StepResults["settle_pairing"] {
  const standing = tables.pairings.find(step, nowMs);
  if (standing === undefined) return { status: "refused", reason: "not_found" };
  if (standing.state === step.to) return { status: "already" };
  if (step.routeRevision !== undefined && step.routeRevision !== tables.routeRevision.get())
    return { status: "refused", reason: "stale_route" };
  tables.pairings.setState(standing, step.to);
  tables.deliveries.insertAll(step.deliveries, nowMs);
  tables.audit.write(step.audit, nowMs);
  return { status: "done" };
}

export function runSetLinks(tables: Tables, step: SetLinksStep, nowMs: number): StepResults["set_links"] {
  if (step.writes.every((write) => tables.links.stands(write))) return { status: "already" };
  if (step.routeRevision !== tables.routeRevision.get()) return { status: "refused", reason: "stale_route" };
  if (!tables.writers.stand(step.expectWriters)) return { status: "refused", reason: "conflict" };
  tables.links.write(step.writes, nowMs);
  tables.audit.write(step.audit, nowMs);
  return { status: "done" };
}
