import type { AgentConfig } from "./config/config.ts";
import type { CallableHooks } from "./hooks/lifecycle-hooks.ts";
import type { Ports } from "./ports/ports.ts";
import { createListFilesTool } from "./tools/files/list-files.ts";
import { createReadFileTool } from "./tools/files/read-file.ts";
import { createToolCaller } from "./tools/tool-caller.ts";
import { DEFAULT_TOOL_LIMITS } from "./tools/tool-limits.ts";
import type { ToolPolicy } from "./tools/tool-policy.ts";
import { createToolRegistry } from "./tools/tool-registry.ts";
import type { TurnTools } from "./turns/turn-parts.ts";
import { LaneLostError } from "./turns/turn-tools.ts";

export interface TurnToolsParts {
  readonly ports: Ports;
  readonly hooks: CallableHooks;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  /** What no tool may show, absolute. */
  readonly blockedPaths: readonly string[];
}

/** The built-in tools as turns call them: policy, hooks and limits of the agent applied. */
export function buildTurnTools(parts: TurnToolsParts): TurnTools {
  const { ports, hooks, agents, blockedPaths } = parts;
  const registry = createToolRegistry([createListFilesTool(), createReadFileTool()]);
  const policiesOf = (agentId: string): readonly ToolPolicy[] => {
    const tools = agents[agentId]?.tools;
    if (tools === undefined) return [];
    return [{ deny: tools.deny, ...(tools.allow === undefined ? {} : { allow: tools.allow }) }];
  };
  const callTool = createToolCaller({
    registry,
    clock: ports.clock,
    log: ports.log,
    beforeToolCall: (event) => hooks.before_tool_call.call(event),
    afterToolCall: async (event) => (await hooks.after_tool_call.call(event)).result,
    isLaneLost: (thrown) => thrown instanceof LaneLostError,
  });
  return {
    describe: (agent) => registry.list(policiesOf(agent.id)),
    call: (call, session) => {
      const { sessionKey, turnId, agent, signal } = session;
      const scope = {
        policies: policiesOf(agent.id),
        workspaceDir: agent.workspaceDir,
        blockedPaths,
        limits: DEFAULT_TOOL_LIMITS,
        signal,
      };
      return callTool({ sessionKey, agentId: agent.id, turnId, call }, scope);
    },
  };
}
