import { decideProgress, type ItemRow, type NewItem } from "@banyan/plugin-sdk/store";
import { addHistory } from "./history-table.ts";
import { getLane, queueItem, unqueueItem } from "./lane-table.ts";
import { type ItemRecord, type Tables, takePos } from "./tables.ts";
import { hastenTimers } from "./timer-table.ts";

/** Stored for those who ask why nothing came of an input; without its text. */
const REFUSED_BODY = "{}";

/** Adds an item whose `dedupe` is new; who adds a held one holds it. */
export function insertItem(
  tables: Tables,
  item: NewItem,
  state: "waiting" | "refused" | "held",
  nowMs: number,
): number {
  const seq = takePos(tables);
  const row: ItemRow = Object.freeze({
    lane: item.lane,
    seq,
    kind: item.kind,
    state,
    address: item.address,
    attempt: 0,
    receivedAtMs: nowMs,
    body: state === "refused" ? REFUSED_BODY : item.body,
    ...(item.wake === "append" ? { wake: item.wake } : {}),
    ...(item.runId === undefined ? {} : { runId: item.runId }),
  });
  tables.items.set(seq, { row, dedupe: item.dedupe });
  tables.seqByDedupe.set(item.dedupe, seq);
  if (state !== "waiting") return seq;
  queueItem(tables, getLane(tables, item.lane), seq, item.kind === "command");
  if (item.kind === "message" || item.kind === "command") {
    const { address, body, kind } = item;
    addHistory(tables, address, { pos: seq, source: "item", id: item.nativeId, kind, atMs: nowMs, body });
  }
  return seq;
}

export function getItem(tables: Tables, seq: number): ItemRecord {
  const record = tables.items.get(seq);
  if (!record) throw new Error(`Reading lane item ${seq}: a lane names it, but it is not in the store.`);
  return record;
}

type ItemChange = Partial<Pick<ItemRow, "state" | "attempt" | "lane" | "address" | "body" | "wake" | "priority">>;

export function changeItem(tables: Tables, seq: number, change: ItemChange): void {
  const record = getItem(tables, seq);
  tables.items.set(seq, { ...record, row: Object.freeze({ ...record.row, ...change }) });
  hastenTimers(tables, seq);
}

/** Attempts and deaths that count. */
export function setCounts(
  tables: Tables,
  seq: number,
  { attempt, deaths }: Required<Pick<ItemRow, "attempt" | "deaths">>,
): void {
  const record = getItem(tables, seq);
  const { deaths: _, ...row } = record.row;
  const counted = { ...row, attempt, ...(deaths === 0 ? {} : { deaths }) };
  tables.items.set(seq, { ...record, row: Object.freeze(counted) });
}

/** The active item's turn has made progress. */
export function noteProgress(tables: Tables, seq: number): void {
  const { row } = getItem(tables, seq);
  if (row.deaths !== undefined) setCounts(tables, seq, decideProgress(row));
}

/** Ends an item that waits or runs. */
export function endItem(
  tables: Tables,
  seq: number,
  state: "done" | "quarantined",
  commit?: ItemRecord["commit"],
): void {
  const record = getItem(tables, seq);
  const row = Object.freeze({ ...record.row, state });
  tables.items.set(seq, { ...record, row, ...(commit ? { commit } : {}) });
  unqueueItem(tables, getLane(tables, row.lane), seq);
  hastenTimers(tables, seq);
}
