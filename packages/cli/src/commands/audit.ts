import { formatPlainLine, parseToolAudit } from "@banyan/core";
import type { AuditRow } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { type AuditFilter, listAudit } from "../state/list-audit.ts";
import { readState } from "../state/read-state.ts";
import { shortenText } from "../terminal/plain-text.ts";
import { formatAge } from "../terminal/relative-time.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const TITLES: readonly string[] = ["WHEN", "WHO", "WHAT", ""];
const WHO_LIMIT_CHARS = 40;
const DETAIL_LIMIT_CHARS = 160;

export interface AuditOptions extends GlobalOptions, AuditFilter {
  readonly limit: number;
  readonly json?: boolean;
}

/** `banyan audit`: the newest lines, the oldest of them first. */
export async function audit(options: AuditOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const { limit, agent, session, tool, refused } = options;
  const filter = {
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(tool === undefined ? {} : { tool }),
    ...(refused === undefined ? {} : { refused }),
  };
  const rows = (await readState(config, (read) => listAudit(read, { limit, filter }))) ?? [];
  if (options.json) return writeJson(rows.map(formatAuditJson));
  const isFiltered = Object.keys(filter).length > 0;
  if (rows.length === 0 && isFiltered) return writeLines(["  no line of that kind; banyan audit shows all"]);
  await writeLines(formatAudit(rows, { now: Date.now(), stream: process.stdout }));
}

/** `detail` of a tool call is an object, of anything else its text. */
export function formatAuditJson(row: AuditRow): object {
  return { ...row, detail: parseToolAudit(row) ?? row.detail };
}

export function formatAudit(
  rows: readonly AuditRow[],
  { now, stream }: { readonly now: number; readonly stream: NodeJS.WritableStream },
): readonly string[] {
  if (rows.length === 0) return ["  nothing yet: no tool has written or run anything, and nothing was decided by hand"];
  const lines = rows.map((row) => [
    formatAge(now - row.atMs),
    shortenText(formatPlainLine(row.actor), WHO_LIMIT_CHARS),
    row.action,
    shortenText(formatPlainLine(formatDetail(row)), DETAIL_LIMIT_CHARS),
  ]);
  return formatTable(TITLES, lines, stream);
}

/** What was called, where, and why it came to nothing. */
function formatDetail(row: AuditRow): string {
  const call = parseToolAudit(row);
  if (call === undefined) return row.detail;
  const { tool, args, session, why } = call;
  return `${tool} ${args} in ${session}${why === undefined ? "" : `: ${why}`}`;
}
