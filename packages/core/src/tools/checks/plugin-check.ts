import type { CallableHooks } from "../../hooks/lifecycle-hooks.ts";
import type { ToolCheck } from "./tool-check.ts";

/** The taps of plugins on `before_tool_call` and `after_tool_call` as hooks of the chain: one for each priority they have. */
export function listPluginChecks(
  hooks: Pick<CallableHooks, "before_tool_call" | "after_tool_call">,
): readonly ToolCheck[] {
  const { before_tool_call: before, after_tool_call: after } = hooks;
  const priorities = [...new Set([...before.priorities, ...after.priorities])];
  return priorities.map((priority) => ({
    name: `taps of priority ${priority}`,
    priority,
    async pre({ event }) {
      const refusal = await before.call(event, priority);
      return refusal && { kind: "refuse", failure: "refused", why: refusal.refused };
    },
    post: async ({ event }, result) => (await after.call({ ...event, result }, priority)).result,
  }));
}
