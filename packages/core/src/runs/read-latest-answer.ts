import type { RunRow, StoreReads } from "@banyan/store";
import { parseEntry } from "../sessions/transcript.ts";
import { isVisible } from "./silent-answer.ts";

/** How far back the latest words of a run are looked for, in entries. */
const LATEST_ENTRIES = 200;

/**
 * The latest visible words that a run's agent has said in its turns for that run; empty where it has said none. Never the
 * output of a tool, nor what the session said to others or was forked from.
 */
export async function readLatestAnswer(
  { runId }: Pick<RunRow, "runId">,
  sessionId: string,
  read: StoreReads,
): Promise<string> {
  const rows = await read.entries({ sessionId, limit: LATEST_ENTRIES, newest: true });
  for (const row of rows.toReversed()) {
    const entry = parseEntry(row);
    if (entry.kind !== "message" || entry.role !== "assistant" || entry.runId !== runId) continue;
    const text = entry.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (isVisible(text)) return text;
  }
  return "";
}
