import type { DatabaseSync } from "node:sqlite";
import type { AppendEntriesStep, StepResults, WriteSessionStep } from "@banyan/store";
import { readNumber } from "../database/column.ts";
import type { Tables } from "./tables.ts";

export type WriteSessionRunner = (step: WriteSessionStep, nowMs: number) => StepResults["write_session"];

export function createWriteSessionStep(database: DatabaseSync, tables: Tables): WriteSessionRunner {
  const findWrite = database.prepare("SELECT revision FROM session_writes WHERE id = ?");
  const addWrite = database.prepare("INSERT INTO session_writes (id, revision, written_at) VALUES (?, ?, ?)");
  return (step, nowMs) => {
    const earlier = findWrite.get(step.writeId);
    if (earlier !== undefined) return { status: "already", revision: readNumber(earlier.revision) };
    const decision = tables.sessions.decide(step.session);
    if (decision.kind === "conflict") return { status: "refused", reason: "conflict" };
    if (decision.kind === "keep") return { status: "already", revision: decision.revision };
    const revision = tables.sessions.write(step.session, decision, nowMs);
    addWrite.run(step.writeId, revision, nowMs);
    return { status: "done", revision };
  };
}

export function runAppendEntries(tables: Tables, step: AppendEntriesStep): StepResults["append_entries"] {
  const first = step.entries[0];
  if (first === undefined) return { status: "refused", reason: "empty" };
  if (tables.entries.has(first.id)) return { status: "already" };
  if (tables.sessions.findRevision(step.sessionKey) === undefined) return { status: "refused", reason: "no_session" };
  const place = { sessionId: step.sessionId, sessionKey: step.sessionKey, itemSeq: undefined };
  tables.entries.append(place, step.entries);
  return { status: "done" };
}
