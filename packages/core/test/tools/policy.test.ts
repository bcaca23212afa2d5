import { expect, it } from "vitest";
import type { AgentConfig } from "../../src/config/config.ts";
import {
  checkToolNames,
  isToolAllowed,
  listChildPolicies,
  OWN_TOOLS,
  SESSION_TOOLS,
  type ToolPolicy,
} from "../../src/tools/policy.ts";

it.each([
  ["no policy", [], true],
  ["an empty policy", [{}], true],
  ["allow *", [{ allow: ["*"] }], true],
  ["its name", [{ allow: ["exec", "read_file"] }], true],
  ["an empty list", [{ allow: [] }], false],
  ["another name", [{ allow: ["read"] }], false],
  ["a pattern, which is none", [{ allow: ["read_*"] }], false],
  ["deny", [{ deny: ["read_file"] }], false],
  ["deny of another", [{ deny: ["exec"] }], true],
  ["deny over allow", [{ allow: ["read_file"], deny: ["read_file"] }], false],
  ["deny * over allow", [{ allow: ["read_file"], deny: ["*"] }], false],
  ["both of two", [{ allow: ["*"] }, { allow: ["read_file"] }], true],
  ["one of two", [{ allow: ["*"] }, { allow: ["exec"] }], false],
])("under %s", (_name, policies, isAllowed) => {
  expect(isToolAllowed("read_file", policies)).toBe(isAllowed);
});

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

function check(tools: Partial<AgentConfig["tools"]>, offered: readonly string[] = []): void {
  checkToolNames({ main: { runtime: "demo", workspace: "/w", tools: { deny: [], ...tools } } }, offered);
}

it("takes every tool of ours and of plugins, and all of them by one sign", () => {
  expect(() => check({ allow: ["*"], deny: [...OWN_TOOLS], ask: ["roll_dice"] }, ["roll_dice"])).not.toThrow();
});

it.each<[Partial<AgentConfig["tools"]>, RegExp]>([
  [{ deny: ["exce"] }, /agents\.main\.tools\.deny\[0\]: No such tool.*got "exce"\); did you mean "exec"\?/],
  [{ ask: ["exec", "write_fiel"] }, /tools\.ask\[1\].*did you mean "write_file"\?/],
  [{ allow: ["shell"] }, /tools\.allow\[0\].*use one of list_files, .*sessions_spawn/],
])("refuses %j, which would forbid or ask nothing", (tools, sentence) => {
  expect(() => check(tools)).toThrow(sentence);
});
