import { afterEach, beforeEach, expect, it } from "vitest";
import { createExecTool } from "../../../src/tools/exec/exec-tool.ts";
import { getToolLimits } from "../../../src/tools/limits.ts";
import { ToolDesk } from "../tool-desk.ts";

let desk: ToolDesk;
const delays: number[] = [];
beforeEach(() => {
  desk = new ToolDesk();
  delays.length = 0;
  const schedule = (delayMs: number, callback: () => void) => {
    delays.push(delayMs);
    const soon = setImmediate(callback);
    return () => clearImmediate(soon);
  };
  const log = { warn: () => undefined };
  const clock = { now: () => 0, monotonic: () => 0, schedule };
  desk.tools = [createExecTool({ clock, log, scrub: (text) => text, createUuid: () => "mark", env: process.env })];
});
afterEach(() => desk.remove());

it.each([
  ["what the agent asks for", {}, { timeoutSeconds: 7 }, 7_000],
  ["what a program has", {}, {}, 60_000],
  ["what the agent's budgets give every call", { maxToolTimeoutSeconds: 20 }, {}, 20_000],
  ["the shortest of them", { maxToolTimeoutSeconds: 20 }, { timeoutSeconds: 30 }, 20_000],
])("ends a program itself after %s, and says what it wrote", async (_what, budgets, wanted, ms) => {
  desk.scope = { ...desk.scope, limits: getToolLimits(budgets) };
  const { text } = await desk.call("exec", { argv: ["sleep", "600"], ...wanted });
  expect(delays[0]).toBe(ms);
  expect(text).toMatch(/^\[ended after .*: its time was over/);
});
