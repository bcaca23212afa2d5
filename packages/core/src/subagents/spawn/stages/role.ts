import {
  resolveSubagentControlScope,
  resolveSubagentRole,
  type SubagentControlScope,
  type SubagentRole,
} from "../../../sessions/tree/subagent-role.ts";
import type { SpawnCase } from "../spawn-case.ts";

export interface ChildRole {
  readonly role: SubagentRole;
  readonly controlScope: SubagentControlScope;
}

/** Stage 9: by how deep its own agent may spawn. */
export function resolveRole({ targetRules }: Pick<SpawnCase, "targetRules">, childDepth: number): ChildRole {
  const role = resolveSubagentRole(childDepth, targetRules.maxSpawnDepth);
  return { role, controlScope: resolveSubagentControlScope(role) };
}
