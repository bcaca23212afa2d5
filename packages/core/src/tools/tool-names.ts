import type { AgentConfig } from "../config/config.ts";
import { buildProblemsError, type ConfigProblem, formatReceived } from "../config/problems/config-problem.ts";
import { findNearestWord } from "../config/problems/nearest-word.ts";
import { SESSION_TOOLS } from "./session-tools.ts";

/** What every gateway brings along. */
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
 * Throws `config_invalid` for a name in an agent's lists of tools that no tool bears: one that is misspelt would forbid
 * nothing, and ask nobody. `offered`: the names of plugins' tools.
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
