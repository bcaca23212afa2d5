import { describe, expect, it } from "vitest";
import { SANDBOX_LEVELS, type SandboxLevel } from "../../../src/config/shapes/sandbox-level.ts";
import { decideSandbox, isProcessAllowed } from "../../../src/subagents/spawn/sandbox-lattice.ts";

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

it("lets processes start everywhere but in a strict sandbox", () => {
  expect(SANDBOX_LEVELS.filter(isProcessAllowed)).toEqual(["off", "workspace"]);
});
