import { expect, it } from "vitest";
import { listChildPolicies } from "../../src/tools/child-policies.ts";
import { SESSION_TOOLS } from "../../src/tools/session-tools.ts";
import { isToolAllowed, type ToolPolicy } from "../../src/tools/tool-policy.ts";

const TOOLS = ["read_file", "write_file", "exec", "message", "sessions_spawn", "subagents"];

const allowed = (lineage: Parameters<typeof listChildPolicies>[0]) =>
  TOOLS.filter((name) => isToolAllowed(name, listChildPolicies(lineage)));

const PARENT: ToolPolicy = { deny: ["write_file"] };
const OWN: ToolPolicy = { allow: ["*"], deny: ["exec"] };

it.each([
  [
    "a person's session has its own",
    [OWN],
    "main",
    false,
    ["read_file", "write_file", "message", "sessions_spawn", "subagents"],
  ],
  [
    "an orchestrator never sends messages",
    [OWN],
    "orchestrator",
    false,
    ["read_file", "write_file", "sessions_spawn", "subagents"],
  ],
  [
    "a child has what its whole lineage has",
    [PARENT, OWN],
    "orchestrator",
    false,
    ["read_file", "sessions_spawn", "subagents"],
  ],
  ["a leaf has no session tools", [PARENT, {}], "leaf", false, ["read_file", "exec"]],
  [
    "a strict sandbox has no exec",
    [{}],
    "main",
    true,
    ["read_file", "write_file", "message", "sessions_spawn", "subagents"],
  ],
  ["an empty list takes all", [{}, { allow: [] }], "orchestrator", false, []],
] as const)("%s", (_what, policies, role, isStrict, names) => {
  expect(allowed({ policies, role, isStrict })).toEqual(names);
});

it("takes every session tool from a leaf", () => {
  const policies = listChildPolicies({ policies: [{ allow: ["*"] }], role: "leaf", isStrict: false });
  expect(SESSION_TOOLS.filter((name) => isToolAllowed(name, policies))).toEqual([]);
  expect(SESSION_TOOLS).toEqual(
    expect.arrayContaining(
      "sessions_spawn subagents sessions_send sessions_list sessions_history sessions_yield".split(" "),
    ),
  );
});
