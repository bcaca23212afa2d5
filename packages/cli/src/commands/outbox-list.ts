import { formatPlainLine } from "@banyan/core";
import type { DeliveryBody, DeliveryRow, DeliveryState } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { DELIVERY_STATES, iterateDeliveries, OPEN_STATES } from "../state/list-deliveries.ts";
import { readState } from "../state/read-state.ts";
import { formatPlace } from "../terminal/place-text.ts";
import { shortenText } from "../terminal/plain-text.ts";
import { formatDue } from "../terminal/relative-time.ts";
import { measureShortIds } from "../terminal/short-ids.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const TITLES: readonly string[] = ["ID", "TO", "WHAT", "STATE", "TRIES", "NEXT", ""];
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
  return { ...row, text: parseBody(body).text };
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

/** A completion is called by the run that it tells of; all else by how it begins. */
function formatWhat(row: DeliveryRow): string {
  const part = row.of > 1 ? ` ${row.part + 1}/${row.of}` : "";
  const { text, announcement } = parseBody(row.body);
  const { label, task = text } = announcement?.completion ?? {};
  const others = announcement?.alsoRunIds.length ?? 0;
  const more = others === 0 ? "" : ` and ${others} more`;
  return `${row.kind}${part} “${shortenText(formatPlainLine(label ?? task), TEXT_LIMIT_CHARS)}”${more}`;
}

function formatNext(row: DeliveryRow, now: number): string {
  if (row.state === "sending") return "under way";
  return row.state === "pending" || row.state === "stuck" ? formatDue(row.nextAtMs - now) : "-";
}

/** It is the core's own writing, so it is not judged again. */
function parseBody(body: string): DeliveryBody {
  return JSON.parse(body);
}
