import type { SessionEntry } from "@banyan/plugin-sdk";
import { BanyanError } from "../../ports/errors.ts";
import { getSubagentDepth } from "../keys/session-key-kind.ts";

/** Gives the record of a session, `undefined` where there is none. */
export type ReadTreeEntry = (key: string) => Promise<Pick<SessionEntry, "spawnDepth" | "spawnedBy"> | undefined>;

/**
 * How deep a session stands in its tree: its stored depth; else one more than its parent's; else what its key says.
 * Throws `session_tree_cycle` where the stored parents lead back to a session that was looked at.
 */
export async function getSubagentDepthFromSessionStore(key: string, readEntry: ReadTreeEntry): Promise<number> {
  const visited = new Set<string>();
  let at = key;
  for (let below = 0; ; below++) {
    if (visited.has(at)) {
      throw new BanyanError(
        "session_tree_cycle",
        `resolving the depth of ${key}: its parents lead back to ${at}; correct spawnedBy in one of their records`,
      );
    }
    visited.add(at);
    const entry = await readEntry(at);
    if (entry?.spawnDepth !== undefined) return entry.spawnDepth + below;
    if (entry?.spawnedBy === undefined) return getSubagentDepth(at) + below;
    at = entry.spawnedBy;
  }
}
