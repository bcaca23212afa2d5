import type { StoreReads } from "@banyan/plugin-sdk/store";
import { parseSessionRow, type SessionRecord } from "../../sessions/session-record.ts";

/** No tree is deeper; a chain that is longer goes in a circle. */
const MOST_ANCESTORS = 64;

/** The session's own key, then those above it up to the top of its tree. */
export async function readLineage(
  { key, entry }: Pick<SessionRecord, "key" | "entry">,
  read: Pick<StoreReads, "session">,
): Promise<readonly string[]> {
  const lineage = [key];
  for (let above = entry.spawnedBy; above !== undefined && !lineage.includes(above); ) {
    if (lineage.length > MOST_ANCESTORS) break;
    lineage.push(above);
    const row = await read.session(above);
    above = row === undefined ? undefined : parseSessionRow(row).entry.spawnedBy;
  }
  return lineage;
}
