import {
  type DeliveryRow,
  type MigrateChatStep,
  moveAddress,
  type RekeyStep,
  type SessionMove,
  type StepResults,
} from "@banyan/plugin-sdk/store";
import { writeAudit } from "../tables/audit-table.ts";
import { moveBindingAddresses, moveBindingKeys } from "../tables/binding-table.ts";
import { changeDelivery } from "../tables/delivery-table.ts";
import { changeHistory } from "../tables/history-table.ts";
import { changeItem, getItem } from "../tables/item-table.ts";
import { moveLane, raiseEpoch } from "../tables/lane-move.ts";
import { changeRun, findRun, moveRunAddresses, moveRunKeys } from "../tables/run-table.ts";
import { conflicts, findRevision, moveSessionRow, reopenSession, writeSession } from "../tables/session-table.ts";
import { type DeliveryRecord, type ItemRecord, pairKey, type Tables } from "../tables/tables.ts";
import { standsWritten } from "../tables/writer-table.ts";

/** What the `dedupe` of a completion begins with, before the id of its run. */
const COMPLETION = "completion|";

export function applyRekey(tables: Tables, step: RekeyStep, nowMs: number): StepResults["rekey"] {
  const { from, to, expectRevision } = step.move;
  const row = tables.sessions.get(from);
  const target = tables.sessions.get(to);
  if (target?.sessionId === step.sessionId) return { status: "already" };
  if (!row) return { status: "refused", reason: "not_found" };
  if (row.revision !== expectRevision || row.sessionId !== step.sessionId)
    return { status: "refused", reason: "conflict" };
  if (target) return { status: "refused", reason: "wrong_state" };
  if (step.routeRevision !== undefined && step.routeRevision !== tables.routes.revision)
    return { status: "refused", reason: "stale_route" };
  const { children = [] } = step;
  const isStale = children.some((child) => conflicts(tables, child));
  if (isStale || !standsWritten(tables, step.expectWriters)) return { status: "refused", reason: "conflict" };
  moveSession(tables, step.move, nowMs);
  for (const child of children) writeSession(tables, child, nowMs);
  writeAudit(tables, step.audit, nowMs);
  return { status: "done" };
}

export function applyMigrateChat(tables: Tables, step: MigrateChatStep, nowMs: number): StepResults["migrate_chat"] {
  const moves = decideMoves(tables, step.sessions);
  if (moves === "conflict") return { status: "refused", reason: "conflict" };
  const sessions = moves.filter(({ isTaken }) => !isTaken).length;
  const children = sessions > 0 ? (step.children ?? []) : [];
  if (children.some((child) => conflicts(tables, child))) return { status: "refused", reason: "conflict" };
  const items = new Set<number>();
  for (const { move, isTaken } of moves) {
    const moved = isTaken ? moveInto(tables, move, nowMs) : moveSession(tables, move, nowMs);
    for (const seq of moved) items.add(seq);
  }
  for (const child of children) writeSession(tables, child, nowMs);
  for (const seq of moveItems(tables, step.addresses)) items.add(seq);
  const move = (address: string) => moveAddress(address, step.addresses);
  const others = moveRunAddresses(tables, move) + moveBindingAddresses(tables, move);
  const deliveries = moveDeliveries(tables, step.addresses);
  const isNew = recordMove(tables, step.move);
  if (!isNew && sessions + items.size + deliveries + others === 0) return { status: "already" };
  writeAudit(tables, step.audit, nowMs);
  return { status: "done", sessions, items: items.size, deliveries };
}

/** Each move as those before it would leave the keys. A session that is gone from its old key has moved already. */
function decideMoves(
  tables: Tables,
  moves: readonly SessionMove[],
): readonly { readonly move: SessionMove; readonly isTaken: boolean }[] | "conflict" {
  const revisions = new Map<string, number>();
  const revisionOf = (key: string) => revisions.get(key) ?? findRevision(tables, key);
  const decided: { readonly move: SessionMove; readonly isTaken: boolean }[] = [];
  for (const move of moves) {
    const revision = revisionOf(move.from);
    if (revision === 0 || move.from === move.to) continue;
    const isTaken = revisionOf(move.to) !== 0;
    decided.push({ move, isTaken });
    if (isTaken) continue;
    if (revision !== move.expectRevision) return "conflict";
    revisions.set(move.from, 0);
    revisions.set(move.to, revision + 1);
  }
  return decided;
}

function moveSession(tables: Tables, move: SessionMove, nowMs: number): readonly number[] {
  const { from, to } = move;
  moveSessionRow(tables, move, nowMs);
  const items = moveLane(tables, from, to);
  raiseEpoch(tables, from, to);
  moveWriters(tables, from, to);
  moveRunKeys(tables, from, to);
  moveBindingKeys(tables, from, to);
  for (const { row } of findUnsent(tables)) {
    if (row.sessionKey === from) changeDelivery(tables, row.id, (old) => ({ ...old, sessionKey: to }));
  }
  return items;
}

/** The session under the new key takes what waits, so it is not put away. */
function moveInto(tables: Tables, { from, to }: SessionMove, nowMs: number): readonly number[] {
  const items = moveLane(tables, from, to);
  for (const seq of items) moveTold(tables, getItem(tables, seq), to);
  if (items.length > 0) reopenSession(tables, to, nowMs);
  return items;
}

/** The session that gets a run's completion is the one that is told of its end. */
function moveTold(tables: Tables, { row, dedupe }: ItemRecord, to: string): void {
  const runId = row.kind === "completion" ? dedupe.slice(COMPLETION.length) : undefined;
  if (runId !== undefined && findRun(tables, runId)) changeRun(tables, runId, { toldSessionKey: to });
}

function moveWriters(tables: Tables, from: string, to: string): void {
  const moved = (tables.writers.get(from) ?? []).map((writer) => Object.freeze({ ...writer, sessionKey: to }));
  const present = tables.writers.get(to) ?? [];
  const fresh = moved.filter(
    ({ channel, peer }) => !present.some((other) => other.channel === channel && other.peer === peer),
  );
  tables.writers.delete(from);
  if (present.length + fresh.length > 0) tables.writers.set(to, [...present, ...fresh]);
}

function moveItems(tables: Tables, addresses: MigrateChatStep["addresses"]): readonly number[] {
  const open = [...tables.items.values()]
    .map(({ row }) => row)
    .filter(({ state }) => state === "waiting" || state === "active" || state === "held");
  return open.flatMap((row) => {
    const address = moveAddress(row.address, addresses);
    if (address === row.address) return [];
    changeItem(tables, row.seq, { address });
    changeHistory(tables, { address: row.address, pos: row.seq }, { address });
    return [row.seq];
  });
}

function moveDeliveries(tables: Tables, addresses: MigrateChatStep["addresses"]): number {
  const moved = findUnsent(tables).filter(({ row }) => moveAddress(row.address, addresses) !== row.address);
  for (const { row } of moved) {
    const address = moveAddress(row.address, addresses);
    const chat = moveAddress(row.chat, addresses);
    changeDelivery(tables, row.id, (old) => ({ ...(chat === old.chat ? old : forgetAnchor(old)), address, chat }));
    changeHistory(tables, row, { address });
  }
  return moved.length;
}

/** The platform's id of a message of the old chat: in the new one it may be another message's. */
function forgetAnchor({ anchorId: _, ...row }: DeliveryRow): DeliveryRow {
  return row;
}

/** What may still be sent, if only on an operator's word. */
function findUnsent(tables: Tables): readonly DeliveryRecord[] {
  return [...tables.deliveries.values()].filter(
    ({ row }) => row.state !== "sent" && row.state !== "sent_maybe_repeated",
  );
}

/** Whether it was not on record. */
function recordMove(tables: Tables, { channel, fromChat, toChat }: MigrateChatStep["move"]): boolean {
  const key = pairKey(channel, fromChat);
  if (tables.routes.chatMoves.get(key)?.toChat === toChat) return false;
  tables.routes.chatMoves.delete(key);
  tables.routes.chatMoves.set(key, Object.freeze({ channel, fromChat, toChat }));
  tables.routes.revision += 1;
  return true;
}
