/** The tools that reach other sessions, and those that only serve them. A leaf of the tree has none of them. */
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
