import type { SessionEntry, SessionInterruption, TurnMessage } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import { parseEntry } from "../../sessions/transcript.ts";
import { formatRecovery } from "./format-recovery.ts";

/**
 * What a turn's agent is told of the turns that were cut off before it, as labelled data. A later attempt reads the same:
 * the record says so until a turn has ended behind them.
 */
export async function readRecovery(
  { sessionId }: Pick<SessionEntry, "sessionId">,
  interruption: SessionInterruption,
  /** Whoever writes now. */
  speakerId: string,
  read: Pick<StoreReads, "entriesOfItem">,
): Promise<NonNullable<TurnMessage["context"]>> {
  const turns = await Promise.all(interruption.itemSeqs.map((itemSeq) => read.entriesOfItem({ itemSeq })));
  const ofSession = turns.map((rows) => rows.filter((row) => row.sessionId === sessionId).map(parseEntry));
  return [formatRecovery(ofSession, { ...interruption, speakerId })];
}
