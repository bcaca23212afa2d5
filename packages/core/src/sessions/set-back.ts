import type { TranscriptEntry } from "@banyan/plugin-sdk";
import type { EntryRow } from "@banyan/store";
import { parseEntry } from "./transcript.ts";

/**
 * A transcript as an agent is given it: of turns that were cut off and set back it has what was said to the agent, and
 * that they were cut off. Pure.
 */
export function leaveOutSetBack(rows: readonly EntryRow[]): readonly TranscriptEntry[] {
  const entries = rows.map(parseEntry);
  const setBack = new Set(
    entries.flatMap(({ content: [part] }) => (part?.type === "interruption" && part.isSetBack ? part.itemSeqs : [])),
  );
  if (setBack.size === 0) return entries;
  return entries.filter(
    ({ role, kind }, at) => role === "user" || kind === "interruption" || !setBack.has(rows[at]?.itemSeq ?? 0),
  );
}
