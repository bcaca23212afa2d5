import type { CallableHooks } from "./hooks/lifecycle-hooks.ts";
import type { Ports } from "./ports/ports.ts";
import { createListFilesTool } from "./tools/files/list-files.ts";
import { createReadFileTool } from "./tools/files/read-file.ts";
import type { Tool } from "./tools/tool.ts";
import { createToolCaller } from "./tools/tool-caller.ts";
import { DEFAULT_TOOL_LIMITS } from "./tools/tool-limits.ts";
import { createToolRegistry } from "./tools/tool-registry.ts";
import type { TurnTools } from "./turns/turn-parts.ts";
import { LaneLostError } from "./turns/turn-tools.ts";

export interface TurnToolsParts {
  readonly ports: Ports;
  readonly hooks: CallableHooks;
  /** What no tool may show, absolute. */
  readonly blockedPaths: readonly string[];
  /** Those that act on sessions. */
  readonly sessionTools: readonly Tool[];
}

/** The built-in tools as turns call them: policies, hooks and limits of the session applied. */
export function buildTurnTools(parts: TurnToolsParts): TurnTools {
  const { ports, hooks, blockedPaths, sessionTools } = parts;
  const registry = createToolRegistry([createListFilesTool(), createReadFileTool(), ...sessionTools]);
  const callTool = createToolCaller({
    registry,
    clock: ports.clock,
    log: ports.log,
    beforeToolCall: (event) => hooks.before_tool_call.call(event),
    afterToolCall: async (event) => (await hooks.after_tool_call.call(event)).result,
    isLaneLost: (thrown) => thrown instanceof LaneLostError,
  });
  return {
    isRepeatable: (name) => registry.find(name)?.isRepeatable ?? true,
    describe: (agent) => registry.list(agent.policies),
    call: (call, session) => {
      const { sessionKey, turnId, agent, signal, turn } = session;
      const { policies, workspaceDir, openPaths } = agent;
      const scope = {
        policies,
        workspaceDir,
        blockedPaths,
        openPaths,
        caller: { ...turn, policies },
        limits: DEFAULT_TOOL_LIMITS,
        signal,
      };
      return callTool({ sessionKey, agentId: agent.id, turnId, call }, scope);
    },
  };
}
