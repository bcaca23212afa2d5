import { formatPlainLine } from "@banyan/core";
import type { TranscriptEntry } from "@banyan/plugin-sdk";
import type { EntryRow } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { findSession } from "../state/find-session.ts";
import { parseEntry } from "../state/list-sessions.ts";
import { nothingStored } from "../state/nothing-stored.ts";
import { readState } from "../state/read-state.ts";
import { formatEntryLines } from "../terminal/entry-lines.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";
import { formatQueueState, formatSessionJson, type ListedSession, readListed } from "./sessions-list.ts";

export interface SessionsShowOptions extends GlobalOptions {
  readonly limit: number;
  readonly json?: boolean;
}

/** `banyan sessions show`: a session's record and the end of its transcript. */
export async function sessionsShow(given: string, options: SessionsShowOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const found = await readState(config, async (read) => {
    const row = await findSession(read, given);
    const listed = await readListed(row, read);
    return { listed, entries: await read.entries({ sessionId: row.sessionId, limit: options.limit, newest: true }) };
  });
  if (found === undefined) throw nothingStored("looking up a session", config.stateDir);
  const { listed, entries } = found;
  if (options.json) {
    return writeJson({ ...formatSessionJson(listed), entries: entries.map(parseTranscriptEntry) });
  }
  await writeLines([...formatRecord(listed), "", ...entries.map(parseTranscriptEntry).flatMap(formatEntryLines)]);
}

function parseTranscriptEntry(row: EntryRow): TranscriptEntry {
  return JSON.parse(row.body);
}

function formatRecord({ row, queue }: ListedSession): readonly string[] {
  const backlog = queue.backlog.map(({ seq, state, priority }) => [seq, state, priority].filter(Boolean).join(" "));
  const fields = Object.entries({
    key: row.key,
    agentId: row.agentId,
    state: formatQueueState(queue),
    ...(backlog.length === 0 ? {} : { backlog: backlog.join(" · ") }),
    ...parseEntry(row),
  });
  const lines = fields.map(([name, value]) => [name, formatField(name, value)]);
  return formatTable(["", ""], lines, process.stdout);
}

function formatField(name: string, value: unknown): string {
  if (typeof value === "number" && /At$/.test(name)) return new Date(value).toISOString();
  return formatPlainLine(typeof value === "string" ? value : JSON.stringify(value));
}
