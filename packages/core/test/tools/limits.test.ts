import { expect, it } from "vitest";
import { getToolLimits, resolveToolTimeoutMs } from "../../src/tools/limits.ts";

it.each([
  { what: "our own", budgets: {}, tool: undefined, ms: 30_000 },
  { what: "the agent's", budgets: { toolTimeoutSeconds: 5 }, tool: undefined, ms: 5_000 },
  { what: "the tool's", budgets: { toolTimeoutSeconds: 5 }, tool: 90_000, ms: 90_000 },
  { what: "the longest that the agent's may have", budgets: { maxToolTimeoutSeconds: 20 }, tool: 90_000, ms: 20_000 },
])("a call has as much time as is $what", ({ budgets, tool, ms }) => {
  expect(resolveToolTimeoutMs(tool, getToolLimits(budgets))).toBe(ms);
});
