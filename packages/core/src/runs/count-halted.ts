import { changeSession } from "../sessions/change-session.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import type { RunParts, StoppedTurn } from "./run-parts.ts";

/**
 * What a stopped turn had used counts in the record of its conversation: a step behind the one that ended it, because that
 * one may write the record for the ends of runs. A process that dies in between has not counted it. Never rejects: the turn
 * is over.
 */
export async function countHalted(
  sessionKey: string,
  { sessionId, figures }: Pick<StoppedTurn, "sessionId" | "figures">,
  { store, ports, sessions }: Pick<RunParts, "store" | "ports" | "sessions">,
): Promise<void> {
  try {
    await changeSession(
      sessionKey,
      // Not where a new conversation has begun, or this one was put away.
      (entry, row) =>
        entry.sessionId === sessionId && row.archivedAtMs === undefined
          ? updateEntryAfterRun(entry, figures)
          : undefined,
      { store, ports, cache: sessions },
    );
  } catch (error) {
    ports.log.warn({ err: error, session: sessionKey }, "what a stopped turn had used was not counted");
  }
}
