import type { SessionMove, SessionRow, SessionWrite } from "@banyan/plugin-sdk/store";
import { setTranscriptKey } from "./entry-table.ts";
import { pairKey, type Tables } from "./tables.ts";

/** `revision`: the present one, 0 where there is no session. */
export function decideSessionWrite(write: SessionWrite, revision: number): "write" | "leave" | "conflict" {
  if (write.expectRevision === 0) return revision === 0 ? "write" : "leave";
  return write.expectRevision === revision ? "write" : "conflict";
}

export function findRevision(tables: Tables, key: string): number {
  return tables.sessions.get(key)?.revision ?? 0;
}

export function conflicts(tables: Tables, write: SessionWrite | undefined): boolean {
  return write !== undefined && decideSessionWrite(write, findRevision(tables, write.key)) === "conflict";
}

/** Writes where the revision is the expected one. The revision that stands then. */
export function writeSession(tables: Tables, write: SessionWrite, nowMs: number): number {
  const revision = findRevision(tables, write.key);
  if (decideSessionWrite(write, revision) !== "write") return revision;
  const { key, sessionId, agentId, file, body } = write;
  const row = { key, sessionId, agentId, file, revision: revision + 1, updatedAtMs: nowMs, body };
  const old = tables.sessions.get(key);
  const isRenamed = old?.sessionId !== sessionId || old.agentId !== agentId || old.file !== file;
  if (isRenamed) forgetNames(tables, key);
  if (revision === 0) tables.sortedSessionKeys = undefined;
  tables.sessions.set(key, Object.freeze(row));
  if (isRenamed) {
    tables.sessionKeyById.set(sessionId, key);
    tables.sessionKeyByFile.set(pairKey(agentId, file), key);
    setTranscriptKey(tables, sessionId, key);
  }
  return row.revision;
}

/** The session goes on under another key, which is free, and with it all its names and transcripts. */
export function moveSessionRow(tables: Tables, { from, to, body }: SessionMove, nowMs: number): void {
  const row = tables.sessions.get(from);
  if (!row) throw new Error(`Moving session ${from} to ${to}: it is not in the store.`);
  tables.sessions.delete(from);
  tables.sortedSessionKeys = undefined;
  tables.sessions.set(to, Object.freeze({ ...row, key: to, body, revision: row.revision + 1, updatedAtMs: nowMs }));
  for (const names of [tables.sessionKeyById, tables.sessionKeyByFile]) {
    for (const [name, key] of names) if (key === from) names.set(name, to);
  }
  for (const [sessionId, key] of tables.transcriptKeys) if (key === from) setTranscriptKey(tables, sessionId, to);
}

export function sortSessionKeys(tables: Tables): readonly string[] {
  tables.sortedSessionKeys ??= [...tables.sessions.keys()].sort();
  return tables.sortedSessionKeys;
}

/** The row's old names no longer find it; names that another session took meanwhile stay. */
function forgetNames(tables: Tables, key: string): void {
  const old: SessionRow | undefined = tables.sessions.get(key);
  if (!old) return;
  const file = pairKey(old.agentId, old.file);
  if (tables.sessionKeyById.get(old.sessionId) === key) tables.sessionKeyById.delete(old.sessionId);
  if (tables.sessionKeyByFile.get(file) === key) tables.sessionKeyByFile.delete(file);
}
