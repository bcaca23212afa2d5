import { expect, it } from "vitest";
import { resolveSubagentControlScope, resolveSubagentRole } from "../../../src/sessions/tree/subagent-role.ts";

it.each([
  [0, 1, "main", "children"],
  [0, 8, "main", "children"],
  [1, 1, "leaf", "none"],
  [1, 2, "orchestrator", "children"],
  [2, 2, "leaf", "none"],
  [2, 3, "orchestrator", "children"],
  // The configuration was lowered since it was spawned.
  [5, 2, "leaf", "none"],
])("at depth %i of %i a session is a %s and directs %s", (depth, most, role, scope) => {
  expect(resolveSubagentRole(depth, most)).toBe(role);
  expect(resolveSubagentControlScope(resolveSubagentRole(depth, most))).toBe(scope);
});
