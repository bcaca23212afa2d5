/** What a session is in its tree. The present configuration decides; what is stored says how it was born. */
export type SubagentRole = "main" | "orchestrator" | "leaf";
/** Whom a session may direct: its children, or nobody. */
export type SubagentControlScope = "children" | "none";

/** `main` at depth 0, `orchestrator` while it may spawn, `leaf` from `maxSpawnDepth` on. */
export function resolveSubagentRole(depth: number, maxSpawnDepth: number): SubagentRole {
  if (depth <= 0) return "main";
  return depth < maxSpawnDepth ? "orchestrator" : "leaf";
}

export function resolveSubagentControlScope(role: SubagentRole): SubagentControlScope {
  return role === "leaf" ? "none" : "children";
}
