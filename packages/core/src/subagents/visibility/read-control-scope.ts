import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { parseSessionRow } from "../../sessions/session-record.ts";
import { getSubagentDepthFromSessionStore } from "../../sessions/tree/stored-depth.ts";
import {
  resolveSubagentControlScope,
  resolveSubagentRole,
  type SubagentControlScope,
} from "../../sessions/tree/subagent-role.ts";
import type { SubagentParts } from "../subagent-parts.ts";

/** Whom a session may direct. The present configuration decides; the role in its record says how it was born. */
export async function readControlScope(
  { sessionKey, agentId }: { readonly sessionKey: string; readonly agentId: string },
  { store, agents }: Pick<SubagentParts, "store" | "agents">,
): Promise<SubagentControlScope> {
  const depth = await getSubagentDepthFromSessionStore(sessionKey, async (key) => {
    const row = await store.read.session(key);
    return row === undefined ? undefined : parseSessionRow(row).entry;
  });
  return resolveSubagentControlScope(resolveSubagentRole(depth, getSubagentRules(agents[agentId]).maxSpawnDepth));
}
