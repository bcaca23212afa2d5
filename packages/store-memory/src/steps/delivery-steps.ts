import type {
  AnchorStep,
  AttemptStep,
  DeliveryRow,
  DeliveryState,
  DropDeliveryStep,
  RetryDeliveryStep,
  RetryEffect,
  SettleStep,
  StepResults,
} from "@banyan/plugin-sdk/store";
import { writeAudit } from "../tables/audit-table.ts";
import { changeDelivery, markDropped } from "../tables/delivery-table.ts";
import { changeHistory } from "../tables/history-table.ts";
import type { Tables } from "../tables/tables.ts";

const RETRIABLE: readonly DeliveryState[] = ["undeliverable", "unknown", "stuck", "pending"];
const DROPPABLE: readonly DeliveryState[] = ["pending", "stuck", "unknown"];

export function applyAttempt(tables: Tables, step: AttemptStep): StepResults["attempt"] {
  const row = tables.deliveries.get(step.id)?.row;
  if (!row) return { status: "refused", reason: "not_found" };
  if (row.state === "sending" && row.attempts === step.attempt && row.owner === step.owner)
    return { status: "already" };
  if (row.state !== "pending" && row.state !== "stuck") return { status: "refused", reason: "wrong_state" };
  if (row.attempts + 1 !== step.attempt) return { status: "refused", reason: "conflict" };
  const { owner, attempt: attempts } = step;
  changeDelivery(tables, step.id, (old) => ({ ...old, state: "sending", attempts, owner }));
  return { status: "done" };
}

export function applyAnchor(tables: Tables, step: AnchorStep): StepResults["anchor"] {
  const { id, attempt, chat, anchorId, isRefused = false } = step;
  const row = tables.deliveries.get(id)?.row;
  const isOpen = row?.state === "sending" || (!isRefused && row?.platformId === anchorId && isSent(row));
  if (!row || !isOpen || row.attempts !== attempt || row.chat !== chat) return { status: "fenced" };
  const policy = isRefused ? "at-least-once" : row.policy;
  if (row.anchorId === anchorId && row.policy === policy) return { status: "already" };
  changeDelivery(tables, id, (old) => ({ ...old, anchorId, policy }));
  return { status: "done" };
}

function isSent({ state }: DeliveryRow): boolean {
  return state === "sent" || state === "sent_maybe_repeated";
}

export function applySettle(tables: Tables, step: SettleStep, nowMs: number): StepResults["settle"] {
  const row = tables.deliveries.get(step.id)?.row;
  if (!row) return { status: "fenced" };
  const { outcome, attempt } = step;
  const isGivenBack = "giveBackAttempt" in outcome && outcome.giveBackAttempt === true;
  const attempts = isGivenBack ? attempt - 1 : attempt;
  if (row.state === "sending" && row.attempts === attempt) {
    changeDelivery(tables, step.id, (old) => ({ ...settleRow(old, step, nowMs), attempts }));
    if (step.sentTo && "platformId" in outcome) putBack(tables, row, step.sentTo);
    return { status: "done" };
  }
  return row.state === outcome.state && row.attempts === attempts ? { status: "already" } : { status: "fenced" };
}

function putBack(tables: Tables, row: DeliveryRow, { address, chat }: NonNullable<SettleStep["sentTo"]>): void {
  if (row.chat === chat) return;
  changeDelivery(tables, row.id, (old) => ({ ...old, address, chat }));
  changeHistory(tables, row, { address });
}

function settleRow(row: DeliveryRow, { outcome }: SettleStep, nowMs: number): DeliveryRow {
  const { owner: _, error: __, ...rest } = row;
  switch (outcome.state) {
    case "sent":
    case "sent_maybe_repeated":
      return { ...rest, state: outcome.state, platformId: outcome.platformId };
    case "undeliverable":
    case "unknown":
      return { ...rest, state: outcome.state, error: outcome.error };
    case "pending":
    case "stuck":
      return {
        ...rest,
        state: outcome.state,
        error: outcome.error,
        nextAtMs: nowMs + outcome.retryInMs,
        maybeRepeated: row.maybeRepeated || outcome.maybeRepeated === true,
      };
  }
}

export function applyRetryDelivery(
  tables: Tables,
  { id, audit }: RetryDeliveryStep,
  nowMs: number,
): StepResults["retry_delivery"] {
  if (!tables.deliveries.has(id)) return { status: "refused", reason: "not_found" };
  if (!retryDelivery(tables, id, nowMs)) return { status: "refused", reason: "wrong_state" };
  writeAudit(tables, audit, nowMs);
  return { status: "done" };
}

export function applyRetryEffect(tables: Tables, { ids, audit }: RetryEffect, nowMs: number): void {
  const retried = ids.filter((id) => retryDelivery(tables, id, nowMs));
  if (retried.length > 0) writeAudit(tables, audit, nowMs);
}

/** Whether the row was in a state in which it can be. */
function retryDelivery(tables: Tables, id: string, nowMs: number): boolean {
  const row = tables.deliveries.get(id)?.row;
  if (!row || !RETRIABLE.includes(row.state)) return false;
  const maybeRepeated = row.maybeRepeated || row.state === "unknown";
  changeDelivery(tables, id, (old) => ({ ...old, state: "pending", attempts: 0, nextAtMs: nowMs, maybeRepeated }));
  markDropped(tables, id, false);
  return true;
}

export function applyDropDelivery(tables: Tables, step: DropDeliveryStep, nowMs: number): StepResults["drop_delivery"] {
  const record = tables.deliveries.get(step.id);
  if (!record) return { status: "refused", reason: "not_found" };
  const { state, kind } = record.row;
  const isLost = state === "undeliverable";
  if (isLost && (kind !== "completion" || record.isDropped)) return { status: "already" };
  if (!isLost && !DROPPABLE.includes(state)) return { status: "refused", reason: "wrong_state" };
  changeDelivery(tables, step.id, (old) => ({ ...old, state: "undeliverable" }));
  markDropped(tables, step.id, true);
  writeAudit(tables, step.audit, nowMs);
  return { status: "done" };
}
