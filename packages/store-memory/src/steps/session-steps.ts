import type { AppendEntriesStep, StepResults, WriteSessionStep } from "@banyan/plugin-sdk/store";
import { appendEntries, hasFirst } from "../tables/entry-table.ts";
import { decideSessionWrite, findRevision, writeSession } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";

export function applyWriteSession(tables: Tables, step: WriteSessionStep, nowMs: number): StepResults["write_session"] {
  const earlier = tables.sessionWrites.get(step.writeId);
  if (earlier) return { status: "already", revision: earlier.revision };
  const present = findRevision(tables, step.session.key);
  switch (decideSessionWrite(step.session, present)) {
    case "conflict":
      return { status: "refused", reason: "conflict" };
    case "leave":
      return { status: "already", revision: present };
    case "write": {
      const revision = writeSession(tables, step.session, nowMs);
      tables.sessionWrites.set(step.writeId, { revision, atMs: nowMs });
      return { status: "done", revision };
    }
  }
}

export function applyAppendEntries(tables: Tables, step: AppendEntriesStep): StepResults["append_entries"] {
  const { sessionKey, sessionId, entries } = step;
  if (entries.length === 0) return { status: "refused", reason: "empty" };
  if (hasFirst(tables, entries)) return { status: "already" };
  if (!tables.sessions.has(sessionKey)) return { status: "refused", reason: "no_session" };
  appendEntries(tables, { sessionKey, sessionId }, entries);
  return { status: "done" };
}
