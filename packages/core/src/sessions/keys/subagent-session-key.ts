import { normalizeAgentId } from "./agent-id.ts";
import { encodeSegment } from "./key-segment.ts";
import { buildSessionKey } from "./session-key-parts.ts";

/** A child that a foreign agent works for has a key of its own kind. */
export type ChildKind = "subagent" | "acp";

/** Builds `agent:<agentId>:acp:<uuid>` or, for a child of another runtime, as `buildSubagentSessionKey`. */
export function buildChildSessionKey(kind: ChildKind, agentId: string, uuid: string): string {
  return buildSessionKey({ agentId: normalizeAgentId(agentId), kind, id: encodeSegment(uuid, "the uuid") });
}

/**
 * Builds `agent:<agentId>:subagent:<uuid>`, flat at every depth: who spawned whom stands in the rows.
 * Throws `invalid_agent_id` and `invalid_segment`.
 */
export function buildSubagentSessionKey(agentId: string, uuid: string): string {
  return buildChildSessionKey("subagent", agentId, uuid);
}
