import type { SessionMove, SessionRow, SessionWrite } from "@banyan/plugin-sdk/store";
import { removeBindings } from "./binding-table.ts";
import { countDay } from "./day-table.ts";
import { removeTranscript, setTranscriptKey } from "./entry-table.ts";
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
  if (write.counts !== undefined) countDay(tables, write.counts, nowMs);
  const { key, sessionId, agentId, file, body } = write;
  const old = tables.sessions.get(key);
  const archive = old?.archivedAtMs === undefined ? {} : { archivedAtMs: old.archivedAtMs };
  const row = { key, sessionId, agentId, file, revision: revision + 1, updatedAtMs: nowMs, body, ...archive };
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

/** Whether it can have input. */
export function standsOpen(tables: Tables, key: string): boolean {
  return tables.sessions.has(key) && !tables.archivedKeys.has(key);
}

/** It is listed no more; what leads to it goes. */
export function archiveSession(tables: Tables, key: string, nowMs: number): void {
  const row = getSession(tables, key);
  const { revision } = row;
  tables.sessions.set(key, Object.freeze({ ...row, revision: revision + 1, updatedAtMs: nowMs, archivedAtMs: nowMs }));
  tables.archivedKeys.add(key);
  tables.sortedSessionKeys = undefined;
  removeBindings(tables, key);
}

/** An archived one has input again. */
export function reopenSession(tables: Tables, key: string, nowMs: number): void {
  if (!tables.archivedKeys.delete(key)) return;
  const { archivedAtMs: _, ...row } = getSession(tables, key);
  tables.sessions.set(key, Object.freeze({ ...row, revision: row.revision + 1, updatedAtMs: nowMs }));
  tables.sortedSessionKeys = undefined;
}

/** With its names, writers and transcripts. */
export function removeSession(tables: Tables, key: string): void {
  forgetNames(tables, key);
  for (const [sessionId, other] of tables.transcriptKeys) if (other === key) removeTranscript(tables, sessionId);
  tables.writers.delete(key);
  tables.archivedKeys.delete(key);
  tables.sessions.delete(key);
}

/** The session goes on under another key, which is free, and with it all its names and transcripts. */
export function moveSessionRow(tables: Tables, { from, to, body, counts = [] }: SessionMove, nowMs: number): void {
  for (const count of counts) countDay(tables, count, nowMs);
  const row = getSession(tables, from);
  if (tables.archivedKeys.delete(from)) tables.archivedKeys.add(to);
  tables.sessions.delete(from);
  tables.sortedSessionKeys = undefined;
  tables.sessions.set(to, Object.freeze({ ...row, key: to, body, revision: row.revision + 1, updatedAtMs: nowMs }));
  for (const names of [tables.sessionKeyById, tables.sessionKeyByFile]) {
    for (const [name, key] of names) if (key === from) names.set(name, to);
  }
  for (const [sessionId, key] of tables.transcriptKeys) if (key === from) setTranscriptKey(tables, sessionId, to);
}

export function sortSessionKeys(tables: Tables): readonly string[] {
  tables.sortedSessionKeys ??= [...tables.sessions.keys()].filter((key) => !tables.archivedKeys.has(key)).sort();
  return tables.sortedSessionKeys;
}

function getSession(tables: Tables, key: string): SessionRow {
  const row = tables.sessions.get(key);
  if (!row)
    throw new Error(`Changing session ${key}: a step was let through that names it, but it is not in the store.`);
  return row;
}

/** The row's old names no longer find it; names that another session took meanwhile stay. */
function forgetNames(tables: Tables, key: string): void {
  const old: SessionRow | undefined = tables.sessions.get(key);
  if (!old) return;
  const file = pairKey(old.agentId, old.file);
  if (tables.sessionKeyById.get(old.sessionId) === key) tables.sessionKeyById.delete(old.sessionId);
  if (tables.sessionKeyByFile.get(file) === key) tables.sessionKeyByFile.delete(file);
}
