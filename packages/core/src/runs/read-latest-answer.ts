import type { RunRow, StoreReads } from "@banyan/plugin-sdk/store";
import { parseEntry } from "../sessions/transcript.ts";
import { isVisible } from "./silent-answer.ts";
import { buildTaskDedupe } from "./task-item.ts";

/** How far back the latest words of a run are looked for, in entries. */
const LATEST_ENTRIES = 200;

/** The latest visible words of a run's agent; empty where it has said none. Never the output of a tool. */
export async function readLatestAnswer(
  { runId }: Pick<RunRow, "runId">,
  sessionId: string,
  read: StoreReads,
): Promise<string> {
  const [task, rows] = await Promise.all([
    read.itemByDedupe(buildTaskDedupe(runId)),
    read.entries({ sessionId, limit: LATEST_ENTRIES, newest: true }),
  ]);
  if (task === undefined) return "";
  for (const row of rows.toReversed()) {
    if (row.itemSeq !== undefined && row.itemSeq < task.seq) break;
    const { kind, role, content } = parseEntry(row);
    if (kind !== "message" || role !== "assistant") continue;
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (isVisible(text)) return text;
  }
  return "";
}
