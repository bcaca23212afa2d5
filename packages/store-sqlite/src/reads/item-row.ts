import type { ItemRow } from "@banyan/store";
import { ITEM_KINDS, ITEM_STATES, ITEM_WAKES } from "../database/code.ts";
import { type Row, readName, readNumber, readOptional, readOptionalText, readText } from "../database/column.ts";

/** Of `items` with its lane, which refused items may lack. */
export const ITEM_COLUMNS =
  "lane, seq, kind, state, address, attempt, received_at, body, wake, run_id, priority, deaths";
export const ITEM_SOURCE = "items LEFT JOIN lanes ON lanes.id = items.lane_id";

export function readItemRow(row: Row): ItemRow {
  return {
    lane: readOptionalText(row.lane ?? null) ?? "",
    seq: readNumber(row.seq),
    kind: readName(ITEM_KINDS, row.kind),
    state: readName(ITEM_STATES, row.state),
    address: readText(row.address),
    attempt: readNumber(row.attempt),
    receivedAtMs: readNumber(row.received_at),
    body: readText(row.body),
    ...readOptional("wake", row.wake, (value) => readName(ITEM_WAKES, value)),
    ...readOptional("runId", row.run_id, readText),
    ...readOptional("priority", row.priority, readNumber),
    ...(row.deaths === 0 ? {} : { deaths: readNumber(row.deaths) }),
  };
}
