import type { SubagentRole } from "../sessions/tree/subagent-role.ts";
import { SESSION_TOOLS } from "./session-tools.ts";
import type { ToolPolicy } from "./tool-policy.ts";

/** What speaks to people beside the answer: a child's words go to its parent. */
const CHILD_DENIED: readonly string[] = ["message"];
/** What starts processes, which a strict sandbox has none of. */
const STRICT_DENIED: readonly string[] = ["exec"];

export interface ChildLineage {
  /** The policies of the agents from the root of the tree down to the session's own. */
  readonly policies: readonly ToolPolicy[];
  readonly role: SubagentRole;
  readonly isStrict: boolean;
}

/**
 * The policies a session's tools have to pass, every one of them: a child has what its whole lineage allows, so no
 * chain of spawns gives back what was taken. Of a session at the root: its own.
 */
export function listChildPolicies({ policies, role, isStrict }: ChildLineage): readonly ToolPolicy[] {
  return [
    ...policies,
    ...(isStrict ? [{ deny: STRICT_DENIED }] : []),
    ...(role === "main" ? [] : [{ deny: CHILD_DENIED }]),
    ...(role === "leaf" ? [{ deny: SESSION_TOOLS }] : []),
  ];
}
