import type { SessionRow } from "@banyan/plugin-sdk/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { listNewestSessions, parseEntry } from "../state/list-sessions.ts";
import { readState } from "../state/read-state.ts";
import { shortenText } from "../terminal/plain-text.ts";
import { formatAge } from "../terminal/relative-time.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const LABEL_LIMIT_CHARS = 30;
const TITLES: readonly string[] = ["KEY", "ID", "LABEL", "MESSAGES", "TOKENS", "UPDATED", "SUB-AGENT OF"];

export interface SessionsListOptions extends GlobalOptions {
  readonly agent?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `banyan sessions list`: the sessions that changed last first. */
export async function sessionsList(options: SessionsListOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const query = { agentId: options.agent, limit: options.limit };
  const { rows, total } = (await readState(config, (read) => listNewestSessions(read, query))) ?? {
    rows: [],
    total: 0,
  };
  if (options.json) return writeJson(rows.map(formatSessionJson));
  await writeLines(formatSessions(rows, { total, now: Date.now(), stream: process.stdout }));
}

export function formatSessionJson(row: SessionRow): object {
  return { key: row.key, agentId: row.agentId, ...parseEntry(row) };
}

export function formatSessions(
  rows: readonly SessionRow[],
  { total, now, stream }: { readonly total: number; readonly now: number; readonly stream: NodeJS.WritableStream },
): readonly string[] {
  if (rows.length === 0) return ["  no sessions yet: the first message opens one"];
  const lines = rows.map((row) => {
    const entry = parseEntry(row);
    return [
      row.key,
      entry.sessionId.slice(0, 8),
      shortenText(entry.label ?? "-", LABEL_LIMIT_CHARS),
      String(entry.messageCount ?? 0),
      entry.totalTokens === undefined ? "-" : String(entry.totalTokens),
      formatAge(now - row.updatedAtMs),
      entry.spawnedBy ?? "",
    ];
  });
  const hasChildren = lines.some((line) => line.at(-1) !== "");
  const titles = hasChildren ? TITLES : TITLES.slice(0, -1);
  const rest = total > rows.length ? [`  and ${total - rows.length} more: banyan sessions list --limit ${total}`] : [];
  return [...formatTable(titles, lines, stream), ...rest];
}
