import { normalizeAgentId } from "./agent-id.ts";
import { encodeSegment } from "./key-segment.ts";
import { buildSessionKey } from "./session-key-parts.ts";

/**
 * Builds `agent:<agentId>:subagent:<uuid>`, flat at every depth: who spawned whom stands in the rows.
 * Throws `invalid_agent_id` and `invalid_segment`.
 */
export function buildSubagentSessionKey(agentId: string, uuid: string): string {
  return buildSessionKey({ agentId: normalizeAgentId(agentId), kind: "subagent", id: encodeSegment(uuid, "the uuid") });
}
