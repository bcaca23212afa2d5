import { type QueueState, readQueueState } from "@banyan/core";
import type { SessionRow, StoreReads } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { listNewestSessions, parseEntry } from "../state/list-sessions.ts";
import { readState } from "../state/read-state.ts";
import { shortenText } from "../terminal/plain-text.ts";
import { formatAge } from "../terminal/relative-time.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const LABEL_LIMIT_CHARS = 30;
const TITLES: readonly string[] = [
  "KEY",
  "ID",
  "LABEL",
  "MESSAGES",
  "TOKENS",
  "STATE",
  "WAITING",
  "UPDATED",
  "SUB-AGENT OF",
];

export interface SessionsListOptions extends GlobalOptions {
  readonly agent?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `banyan sessions list`: the sessions that changed last first. */
export async function sessionsList(options: SessionsListOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const query = { agentId: options.agent, limit: options.limit };
  const found = await readState(config, async (read) => {
    const { rows, total } = await listNewestSessions(read, query);
    return { sessions: await Promise.all(rows.map((row) => readListed(row, read))), total };
  });
  const { sessions, total } = found ?? { sessions: [], total: 0 };
  if (options.json) return writeJson(sessions.map(formatSessionJson));
  await writeLines(formatSessions(sessions, { total, now: Date.now(), stream: process.stdout }));
}

/** A session, and how its queue stands. */
export interface ListedSession {
  readonly row: SessionRow;
  readonly queue: QueueState;
}

export async function readListed(row: SessionRow, read: StoreReads): Promise<ListedSession> {
  return { row, queue: await readQueueState({ key: row.key, entry: parseEntry(row) }, read) };
}

export function formatSessionJson({ row, queue }: ListedSession): object {
  return { key: row.key, agentId: row.agentId, ...parseEntry(row), queue };
}

/** How the turn stands, in which sense it was cut off, and whether it is a suspect. */
export function formatQueueState({ turn, cut, isSuspect }: QueueState): string {
  return [turn ?? "idle", ...(cut === undefined ? [] : [cut]), ...(isSuspect ? ["suspect"] : [])].join(", ");
}

export function formatSessions(
  sessions: readonly ListedSession[],
  { total, now, stream }: { readonly total: number; readonly now: number; readonly stream: NodeJS.WritableStream },
): readonly string[] {
  if (sessions.length === 0) return ["  no sessions yet: the first message opens one"];
  const lines = sessions.map(({ row, queue }) => {
    const entry = parseEntry(row);
    return [
      row.key,
      entry.sessionId.slice(0, 8),
      shortenText(entry.label ?? "-", LABEL_LIMIT_CHARS),
      String(entry.messageCount ?? 0),
      entry.totalTokens === undefined ? "-" : String(entry.totalTokens),
      formatQueueState(queue),
      String(queue.backlog.filter(({ state }) => state !== "dispatched").length),
      formatAge(now - row.updatedAtMs),
      entry.spawnedBy ?? "",
    ];
  });
  const hasChildren = lines.some((line) => line.at(-1) !== "");
  const titles = hasChildren ? TITLES : TITLES.slice(0, -1);
  const rest =
    total > sessions.length ? [`  and ${total - sessions.length} more: banyan sessions list --limit ${total}`] : [];
  return [...formatTable(titles, lines, stream), ...rest];
}
