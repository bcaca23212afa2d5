/** Which tools an agent may use: its policies, those of a child, and the names that they may contain. */
import type { AgentConfig } from "../config/config.ts";
import { buildProblemsError, type ConfigProblem, formatReceived } from "../config/problems/config-problem.ts";
import { findNearestWord } from "../config/problems/nearest-word.ts";
import type { SubagentRole } from "../sessions/tree/subagent-role.ts";

/** Which tools may be used, by exact name or `*`. `deny` wins; without `allow` all are allowed. */
export interface ToolPolicy {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Tools that a person must allow, call by call. */
  readonly ask?: readonly string[];
}

/** Every policy must allow the tool: an agent's own, and those of its parents. */
export function isToolAllowed(name: string, policies: readonly ToolPolicy[]): boolean {
  return policies.every(({ allow, deny }) => {
    const isDenied = deny !== undefined && matchesName(deny, name);
    return !isDenied && (allow === undefined || matchesName(allow, name));
  });
}

/** One policy that asks is enough. */
export function isAskedFor(name: string, policies: readonly ToolPolicy[]): boolean {
  return policies.some(({ ask }) => ask !== undefined && matchesName(ask, name));
}

function matchesName(list: readonly string[], name: string): boolean {
  return list.includes("*") || list.includes(name);
}

/** The tools that reach other sessions, and those that only serve these tools. A leaf of the tree has none of them. */
export const SESSION_TOOLS: readonly string[] = [
  "sessions_spawn",
  "sessions_send",
  "sessions_yield",
  "sessions_list",
  "sessions_history",
  "session_status",
  "session_vars",
  "subagents",
  "agents_list",
];

/** What sends messages in addition to the answer: a child's messages go to its parent. */
const CHILD_DENIED: readonly string[] = ["message"];
/** What starts processes: a strict sandbox has none. */
const STRICT_DENIED: readonly string[] = ["exec"];

export interface ChildLineage {
  /** The policies of the agents from the root of the tree to the session's own. */
  readonly policies: readonly ToolPolicy[];
  readonly role: SubagentRole;
  readonly isStrict: boolean;
}

/**
 * Lists the policies that every tool of a session must pass. A child has what its whole lineage allows, so no chain of
 * spawns restores what was denied. A session at the root has only its own policies.
 */
export function listChildPolicies({ policies, role, isStrict }: ChildLineage): readonly ToolPolicy[] {
  return [
    ...policies,
    ...(isStrict ? [{ deny: STRICT_DENIED }] : []),
    ...(role === "main" ? [] : [{ deny: CHILD_DENIED }]),
    ...(role === "leaf" ? [{ deny: SESSION_TOOLS }] : []),
  ];
}

/** The tools of every gateway. */
export const OWN_TOOLS: readonly string[] = [
  "list_files",
  "read_file",
  "write_file",
  "exec",
  "save_attachment",
  "message",
  ...SESSION_TOOLS,
];

/**
 * Throws `config_invalid` for a name in an agent's lists of tools that no tool has: a misspelt one would forbid nothing
 * and require no permission. `offered`: the names of plugins' tools.
 */
export function checkToolNames(agents: Readonly<Record<string, AgentConfig>>, offered: readonly string[]): void {
  const known = [...OWN_TOOLS, ...offered];
  const problems = Object.entries(agents).flatMap(([id, { tools }]) =>
    (["allow", "deny", "ask"] as const).flatMap((list) =>
      (tools[list] ?? []).flatMap((name, at) =>
        name === "*" || known.includes(name) ? [] : [buildProblem(["agents", id, "tools", list, at], name, known)],
      ),
    ),
  );
  if (problems.length > 0) throw buildProblemsError(problems, { title: "the configuration" });
}

function buildProblem(path: ConfigProblem["path"], name: string, known: readonly string[]): ConfigProblem {
  const nearest = findNearestWord(name, known);
  return {
    path,
    wrong: "no such tool, neither built in nor from a plugin",
    received: formatReceived(name),
    cure: nearest === undefined ? `use one of ${known.join(", ")}` : `did you mean "${nearest}"?`,
  };
}
