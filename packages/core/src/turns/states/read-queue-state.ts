import type { SessionEntry } from "@banyan/plugin-sdk";
import type { ItemRow, StoreReads } from "@banyan/store";
import { UNFINISHED_STATES } from "../../runs/run-record.ts";
import { parseEntry } from "../../sessions/transcript.ts";
import { decideQueueState, type LiveFacts, type QueueState } from "./queue-state.ts";

const MOST_ITEMS = 1_000;
/** More than a conversation may have open. */
const MOST_RUNS = 100;

type Reads = Pick<StoreReads, "openItems" | "runs" | "entriesOfItem">;

/** How a conversation stands. Without `live` what is not stored is not told: what a turn at work was handed. */
export async function readQueueState(
  { key, entry }: { readonly key: string; readonly entry: Pick<SessionEntry, "interruption"> },
  read: Reads,
  live?: LiveFacts,
): Promise<QueueState> {
  const [open, runs] = await Promise.all([
    read.openItems({ lane: key, limit: MOST_ITEMS }),
    read.runs({ requesterSessionKey: key, states: UNFINISHED_STATES, limit: MOST_RUNS }),
  ]);
  const active = open.find(({ state }) => state === "active");
  return decideQueueState({
    entry,
    open,
    hasOpenRuns: runs.some(({ isAwaited }) => isAwaited),
    isAsking: active !== undefined && (await isAsking(active, read)),
    ...(live === undefined ? {} : { live }),
  });
}

async function isAsking({ seq: itemSeq }: ItemRow, read: Reads): Promise<boolean> {
  const entries = await read.entriesOfItem({ itemSeq });
  const parts = entries.map(parseEntry).flatMap(({ content }) => content);
  const answered = new Set(parts.flatMap((part) => (part.type === "answer" ? [part.id] : [])));
  return parts.some((part) => part.type === "question" && !answered.has(part.id));
}
