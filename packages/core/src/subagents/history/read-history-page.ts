import { parseEntry } from "../../sessions/transcript.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { type DescribedEntry, describeEntry } from "./describe-entry.ts";

/** What stands round the entries in a result. */
const FRAME_BYTES = 2_000;

export interface HistoryQuery {
  readonly sessionId: string;
  /** Entries before the one with this `seq`; absent: the newest. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Of the whole result, as JSON in UTF-8. */
  readonly limitBytes: number;
}

export interface HistoryPage {
  /** The newest last. */
  readonly entries: readonly DescribedEntry[];
  /** Where the page before this one begins; absent: there is none. */
  readonly nextBefore?: number;
}

/** As many of the newest entries as there is room for. */
export async function readHistoryPage(
  { sessionId, before, limit, limitBytes }: HistoryQuery,
  { store, ports }: Pick<SubagentParts, "store" | "ports">,
): Promise<HistoryPage> {
  const range = before === undefined ? { newest: true } : { afterSeq: Math.max(0, before - 1 - limit) };
  const rows = await store.read.entries({ sessionId, limit, ...range });
  const entries: DescribedEntry[] = [];
  let room = limitBytes - FRAME_BYTES;
  for (const row of rows.filter(({ seq }) => before === undefined || seq < before).toReversed()) {
    const entry = describeEntry(parseEntry(row), ports.scrub);
    room -= Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (room < 0) break;
    entries.unshift(entry);
  }
  const oldest = entries[0]?.seq;
  return { entries, ...(oldest === undefined || oldest <= 1 ? {} : { nextBefore: oldest }) };
}
