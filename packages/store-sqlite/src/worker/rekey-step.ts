import type { RekeyStep, StepResults } from "@banyan/store";
import type { SessionMover } from "./session-move.ts";
import type { Tables } from "./tables.ts";

export function runRekey(tables: Tables, mover: SessionMover, step: RekeyStep, nowMs: number): StepResults["rekey"] {
  const { from, to, expectRevision } = step.move;
  const row = tables.sessions.find(from);
  const target = tables.sessions.find(to);
  if (target?.sessionId === step.sessionId) return { status: "already" };
  if (row === undefined) return { status: "refused", reason: "not_found" };
  if (row.revision !== expectRevision || row.sessionId !== step.sessionId)
    return { status: "refused", reason: "conflict" };
  if (target !== undefined) return { status: "refused", reason: "wrong_state" };
  if (step.routeRevision !== undefined && step.routeRevision !== tables.routeRevision.get())
    return { status: "refused", reason: "stale_route" };
  const { children = [] } = step;
  if (!tables.sessions.canWriteAll(children) || !tables.writers.stand(step.expectWriters))
    return { status: "refused", reason: "conflict" };
  mover.moveSession(step.move, nowMs);
  tables.sessions.writeAll(children, nowMs);
  tables.audit.write(step.audit, nowMs);
  return { status: "done" };
}
