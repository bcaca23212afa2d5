import { formatPlainLine } from "@banyan/core";
import { isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { DeliveryBody, DeliveryRow, DeliveryState } from "@banyan/plugin-sdk/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { DELIVERY_STATES, iterateDeliveries, OPEN_STATES } from "../state/list-deliveries.ts";
import { readState } from "../state/read-state.ts";
import { shortenText } from "../terminal/plain-text.ts";
import { formatDue } from "../terminal/relative-time.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const TITLES: readonly string[] = ["ID", "TO", "WHAT", "STATE", "TRIES", "NEXT", ""];
const SHORTEST_ID_CHARS = 8;
const PLACE_LIMIT_CHARS = 40;
const TEXT_LIMIT_CHARS = 24;

export interface OutboxListOptions extends GlobalOptions {
  readonly state?: DeliveryState | "all";
  readonly channel?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `banyan outbox list`: without a state, all that is not settled for good. */
export async function outboxList(options: OutboxListOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const { state, channel, limit } = options;
  const states = state === undefined ? OPEN_STATES : state === "all" ? DELIVERY_STATES : [state];
  const rows: DeliveryRow[] = [];
  await readState(config, async (read) => {
    for await (const row of iterateDeliveries(read, { states, channel })) {
      if (rows.length > limit) break;
      rows.push(row);
    }
  });
  const shown = rows.slice(0, limit);
  if (options.json) return writeJson(shown.map(formatDeliveryJson));
  const more = rows.length > limit ? [`  and more: --limit shows them`] : [];
  await writeLines([...formatDeliveries(shown, { now: Date.now(), stream: process.stdout }), ...more]);
}

export function formatDeliveryJson({ body, pos: _pos, ...row }: DeliveryRow): object {
  return { ...row, text: parseText(body) };
}

export function formatDeliveries(
  rows: readonly DeliveryRow[],
  { now, stream }: { readonly now: number; readonly stream: NodeJS.WritableStream },
): readonly string[] {
  if (rows.length === 0) return ["  nothing: every message was delivered or given up"];
  const idChars = measureShortIds(rows.map(({ id }) => id));
  const lines = rows.map((row) => {
    return [
      shortenText(row.id, idChars + 1),
      shortenText(formatPlace(row.address), PLACE_LIMIT_CHARS),
      formatWhat(row),
      row.state,
      String(row.attempts),
      formatNext(row, now),
      row.error ?? "",
    ];
  });
  return formatTable(TITLES, lines, stream);
}

/** How much of the ids tells them apart: any beginning that names one row is taken for its id. */
function measureShortIds(ids: readonly string[]): number {
  const longest = Math.max(...ids.map((id) => id.length));
  for (let chars = SHORTEST_ID_CHARS; chars < longest; chars += 1) {
    if (new Set(ids.map((id) => id.slice(0, chars))).size === ids.length) return chars;
  }
  return longest;
}

function formatPlace(address: string): string {
  if (!isAddress(address)) return address;
  const { channel, account, kind, chat, thread } = parseAddress(address);
  const where = account === "default" ? channel : `${channel}/${account}`;
  return `${where} ${kind} ${chat}${thread === undefined ? "" : ` thread ${thread}`}`;
}

function formatWhat(row: DeliveryRow): string {
  const part = row.of > 1 ? ` ${row.part + 1}/${row.of}` : "";
  return `${row.kind}${part} “${shortenText(formatPlainLine(parseText(row.body)), TEXT_LIMIT_CHARS)}”`;
}

function formatNext(row: DeliveryRow, now: number): string {
  if (row.state === "sending") return "under way";
  return row.state === "pending" || row.state === "stuck" ? formatDue(row.nextAtMs - now) : "-";
}

/** A stored body. It is the core's own writing, so it is not judged again. */
function parseText(body: string): string {
  const { text }: DeliveryBody = JSON.parse(body);
  return text;
}
