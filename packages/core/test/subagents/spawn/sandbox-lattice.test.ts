import { describe, expect, it } from "vitest";
import { SANDBOX_LEVELS, type SandboxLevel } from "../../../src/config/shapes/sandbox-level.ts";
import { decideSandbox, isProcessAllowed, resolveSandbox } from "../../../src/subagents/spawn/sandbox-lattice.ts";

const ROWS: readonly (readonly [parent: SandboxLevel, target: SandboxLevel, inherit: string, require: string])[] = [
  ["off", "off", "off", "required"],
  ["off", "workspace", "workspace", "workspace"],
  ["off", "strict", "strict", "strict"],
  ["workspace", "off", "below_parent", "below_parent"],
  ["workspace", "workspace", "workspace", "workspace"],
  ["workspace", "strict", "strict", "strict"],
  ["strict", "off", "below_parent", "below_parent"],
  ["strict", "workspace", "below_parent", "below_parent"],
  ["strict", "strict", "strict", "strict"],
];

describe.each(ROWS)("from %s to %s", (parent, target, inherited, required) => {
  it.each([
    ["inherit", inherited],
    ["require", required],
  ] as const)("with %s: %s", (request, expected) => {
    const decision = decideSandbox({ parent, target, request });
    expect(decision.kind === "allowed" ? decision.level : decision.kind).toBe(expected);
  });
});

it.each([
  ["its own", { agentId: "strict" }, "strict"],
  ["its own, of one that asked who is freer", { agentId: "strict", spawnLineage: ["off", "plain"] }, "strict"],
  ["that of who asked", { agentId: "off", spawnLineage: ["plain"] }, "workspace"],
  ["that of the strictest above it", { agentId: "off", spawnLineage: ["strict", "off", "plain"] }, "strict"],
  ["none", { agentId: "off", spawnLineage: ["off"] }, "off"],
  ["that of who asked, where its own agent is gone", { agentId: "gone", spawnLineage: ["off"] }, "off"],
  ["the strictest, where one above it is gone", { agentId: "off", spawnLineage: ["gone", "off"] }, "strict"],
  ["the strictest, where one above it is nobody", { agentId: "off", spawnLineage: ["constructor"] }, "strict"],
  ["the default where nobody is", { agentId: "gone" }, "workspace"],
] as const)("a session's level is %s", (_what, session, level) => {
  const agent = (sandbox?: SandboxLevel) => ({ runtime: "demo", workspace: "/srv", tools: { deny: [] }, sandbox });
  const agents = { off: agent("off"), plain: agent(), strict: agent("strict") };
  expect(resolveSandbox(agents, session)).toBe(level);
});

it("lets processes start everywhere but in a strict sandbox", () => {
  expect(SANDBOX_LEVELS.filter(isProcessAllowed)).toEqual(["off", "workspace"]);
});
