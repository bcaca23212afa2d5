import type { ReceivedItem, ReceivedResult } from "@banyan/store";
import type { ItemPlace } from "./item-table.ts";
import type { Tables } from "./tables.ts";

/** Stored for those who ask why nothing came of an input; without its text. */
const REFUSED_BODY = "{}";

/** Access said no: on record, with what the sender is told. It may still be a stranger's first word, or correct what waits. */
export function refuseInput(tables: Tables, item: ReceivedItem, refused: string, nowMs: number): ReceivedResult {
  const seq = insertRefused(tables, item, { refused, laneId: undefined }, nowMs);
  const isAmended = item.amendment !== undefined && tables.items.amend(item.amendment);
  const offer = item.pairing === undefined ? undefined : tables.pairings.offer(item.pairing, nowMs);
  const answers = { new: item.deliveries ?? [], standing: [], full: listIfFull(item) };
  const deliveries = tables.deliveries.insertAll(answers[offer ?? "new"], nowMs);
  return { outcome: "refused", seq, deliveries, ...buildMarks(offer === "new", isAmended) };
}

export function refuseAtFullLane(tables: Tables, item: ReceivedItem, laneId: number, nowMs: number): ReceivedResult {
  const seq = insertRefused(tables, item, { refused: "lane_full", laneId }, nowMs);
  return { outcome: "refused", seq, deliveries: tables.deliveries.insertAll(listIfFull(item), nowMs) };
}

/** A pairing with the step's own code is the one it made, a text that reads as its amendment the one it wrote. */
export function repeatMarks(tables: Tables, item: ReceivedItem, nowMs: number): Marks {
  const { refused, pairing, amendment } = item;
  if (refused === undefined) return {};
  const isPairingNew = pairing !== undefined && tables.pairings.find(pairing, nowMs)?.code === pairing.code;
  return buildMarks(isPairingNew, amendment !== undefined && tables.items.isAmended(amendment));
}

type Marks = Pick<ReceivedResult, "isPairingNew" | "isAmended">;

function buildMarks(isPairingNew: boolean, isAmended: boolean): Marks {
  return { ...(isPairingNew ? { isPairingNew } : {}), ...(isAmended ? { isAmended } : {}) };
}

function insertRefused(
  tables: Tables,
  item: ReceivedItem,
  where: Pick<ItemPlace, "refused" | "laneId">,
  nowMs: number,
): number {
  return tables.items.insert(item, { ...where, state: "refused", attempt: 0, body: REFUSED_BODY }, nowMs);
}

function listIfFull({ ifFull }: ReceivedItem): readonly NonNullable<ReceivedItem["ifFull"]>[] {
  return ifFull === undefined ? [] : [ifFull];
}
