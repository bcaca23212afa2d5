import { commitPatiently } from "../ports/commit-step.ts";
import { buildSessionWrite, parseSessionRow } from "../sessions/session-record.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import type { RunParts, StoppedTurn } from "./run-parts.ts";

const MOST_CONFLICTS = 5;

/**
 * What a stopped turn had used counts in the record of its conversation: a step behind the one that ended it, because that
 * one may write the record for the ends of runs. A process that dies in between has not counted it. Never rejects: the turn
 * is over.
 */
export async function countHalted(
  sessionKey: string,
  { sessionId, figures }: Pick<StoppedTurn, "sessionId" | "figures">,
  { store, ports, sessions, signal }: Pick<RunParts, "store" | "ports" | "sessions" | "signal">,
): Promise<void> {
  try {
    for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
      const row = await store.read.session(sessionKey);
      // A new conversation has begun, or this one was put away.
      if (row === undefined || row.sessionId !== sessionId || row.archivedAtMs !== undefined) return;
      const record = parseSessionRow(row);
      const session = buildSessionWrite(record, updateEntryAfterRun(record.entry, figures));
      const step = { step: "write_session", writeId: ports.createId(), session } as const;
      const written = await commitPatiently(store, step, ports, signal);
      sessions.forget(sessionKey);
      if (written.status !== "refused") return;
    }
    ports.log.warn({ session: sessionKey }, "what a stopped turn had used was not counted: its session kept changing");
  } catch (error) {
    ports.log.warn({ err: error, session: sessionKey }, "what a stopped turn had used was not counted");
  }
}
