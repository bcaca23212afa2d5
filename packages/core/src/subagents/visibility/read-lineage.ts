import type { StoreReads } from "@banyan/store";
import type { SessionRecord } from "../../sessions/session-record.ts";
import { walkUp } from "../../sessions/tree/walk-up.ts";

/** The session's own key, then those above it up to the top of its tree. */
export async function readLineage(
  { key, entry }: Pick<SessionRecord, "key" | "entry">,
  read: Pick<StoreReads, "session">,
): Promise<readonly string[]> {
  const lineage = [key];
  if (entry.spawnedBy === undefined) return lineage;
  for await (const above of walkUp(entry.spawnedBy, read)) {
    if (above.key === key) break;
    lineage.push(above.key);
  }
  return lineage;
}
