import { expect, it } from "vitest";
import { getToolLimits, narrowLimits, resolveToolTimeoutMs } from "../../src/tools/limits.ts";

it.each([
  { what: "our own", budgets: {}, tool: undefined, ms: 30_000 },
  { what: "the agent's", budgets: { toolTimeoutSeconds: 5 }, tool: undefined, ms: 5_000 },
  { what: "the tool's", budgets: { toolTimeoutSeconds: 5 }, tool: 90_000, ms: 90_000 },
  { what: "the longest that the agent's may have", budgets: { maxToolTimeoutSeconds: 20 }, tool: 90_000, ms: 20_000 },
])("a call has as much time as is $what", ({ budgets, tool, ms }) => {
  expect(resolveToolTimeoutMs(tool, getToolLimits(budgets))).toBe(ms);
});

it.each([
  { what: "nothing, where no agent sets one", own: [], ms: [90_000, 60_000] },
  { what: "the time of one agent", own: [5], ms: [5_000, 5_000] },
  { what: "the shortest of the lineage", own: [50, undefined, 20], ms: [20_000, 20_000] },
  { what: "the time of one agent, programs by the default", own: [75, undefined], ms: [75_000, 60_000] },
])("boundaries limit the time of a call and of its program to $what", ({ own, ms }) => {
  const boundaries = own.map((timeoutSeconds) => ({
    baseDir: "/w",
    rules: timeoutSeconds === undefined ? {} : { timeoutSeconds },
  }));
  const limits = narrowLimits(getToolLimits({ maxToolTimeoutSeconds: 90 }), boundaries);
  expect([resolveToolTimeoutMs(3_600_000, limits), limits.programMs]).toEqual(ms);
});
