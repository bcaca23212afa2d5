import type { DatabaseSync } from "node:sqlite";
import { readNumber, readText } from "../database/column.ts";
import type { SqliteReads } from "./read-request.ts";
import { ENTRY_COLUMNS, readEntryRow, readSessionRow, SESSION_COLUMNS } from "./session-row.ts";

type SessionReads = Pick<
  SqliteReads,
  "session" | "sessionById" | "sessionByFile" | "sessions" | "entries" | "entriesOfItem" | "writers" | "dayUsed"
>;

const SESSION_OF_TRANSCRIPT = `SELECT ${SESSION_COLUMNS.split(", ")
  .map((column) => `sessions.${column}`)
  .join(", ")} FROM transcripts JOIN sessions ON sessions.key = transcripts.session_key
    AND sessions.session_id = transcripts.session_id`;

export function createSessionReads(database: DatabaseSync): SessionReads {
  const byKey = database.prepare(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE key = ?`);
  const byId = database.prepare(`${SESSION_OF_TRANSCRIPT} WHERE transcripts.session_id = ?`);
  const byFile = database.prepare(`${SESSION_OF_TRANSCRIPT} WHERE transcripts.agent_id = ? AND transcripts.file = ?`);
  const all = database.prepare(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE key > ? AND archived_at IS NULL ORDER BY key LIMIT ?`,
  );
  const allOfAgent = database.prepare(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE agent_id = ? AND archived_at IS NULL AND key > ?
     ORDER BY key LIMIT ?`,
  );
  const writers = database.prepare(
    "SELECT session_key, channel, peer FROM writers WHERE session_key = ? ORDER BY channel, peer",
  );
  const dayUsed = database.prepare("SELECT turns, tokens, cost_usd FROM day_used WHERE subject = ? AND day = ?");
  return {
    session: (key) => byKey.all(key).map(readSessionRow)[0],
    sessionById: (sessionId) => byId.all(sessionId).map(readSessionRow)[0],
    sessionByFile: (agentId, file) => byFile.all(agentId, file).map(readSessionRow)[0],
    sessions: ({ agentId, afterKey = "", limit }) => {
      const rows = agentId === undefined ? all.all(afterKey, limit) : allOfAgent.all(agentId, afterKey, limit);
      return rows.map(readSessionRow);
    },
    ...createEntryReads(database),
    dayUsed: ({ subject, day }) => {
      const row = dayUsed.get(subject, day);
      if (row === undefined) return undefined;
      return { turns: readNumber(row.turns), tokens: readNumber(row.tokens), costUsd: readNumber(row.cost_usd) };
    },
    writers: (sessionKey) =>
      writers.all(sessionKey).map((row) => ({
        sessionKey: readText(row.session_key),
        channel: readText(row.channel),
        peer: readText(row.peer),
      })),
  };
}

function createEntryReads(database: DatabaseSync): Pick<SqliteReads, "entries" | "entriesOfItem"> {
  const source = `SELECT ${ENTRY_COLUMNS} FROM transcripts JOIN entries ON entries.transcript_id = transcripts.id
    WHERE session_id = ?`;
  const forward = database.prepare(`${source} AND seq > ? ORDER BY seq LIMIT ?`);
  const backward = database.prepare(`${source} AND seq > ? ORDER BY seq DESC LIMIT ?`);
  const ofItem = database.prepare(
    `SELECT ${ENTRY_COLUMNS} FROM entries JOIN transcripts ON entries.transcript_id = transcripts.id
     WHERE item_seq = ? ORDER BY pos`,
  );
  return {
    entries: ({ sessionId, afterSeq = 0, limit, newest = false }) =>
      newest
        ? backward.all(sessionId, afterSeq, limit).map(readEntryRow).reverse()
        : forward.all(sessionId, afterSeq, limit).map(readEntryRow),
    entriesOfItem: ({ itemSeq }) => ofItem.all(itemSeq).map(readEntryRow),
  };
}
