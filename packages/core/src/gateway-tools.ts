import { join } from "node:path";
import type { Store } from "@banyan/plugin-sdk/store";
import { getAttachmentRules } from "./config/shapes/attachments-config.ts";
import type { GatewayAccounts } from "./gateway-accounts.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import type { CallableHooks } from "./hooks/lifecycle-hooks.ts";
import type { OutgoingFiles } from "./outbound/outgoing-files.ts";
import type { Ports } from "./ports/ports.ts";
import { createSaveAttachmentTool } from "./tools/attachments/save-attachment.ts";
import { HOST_FOLDER } from "./tools/files/host-folder.ts";
import { createListFilesTool } from "./tools/files/list-files.ts";
import { createReadFileTool } from "./tools/files/read-file.ts";
import { createMessageTool } from "./tools/messages/message-tool.ts";
import type { Tool } from "./tools/tool.ts";
import { createToolCaller } from "./tools/tool-caller.ts";
import { getToolLimits } from "./tools/tool-limits.ts";
import { createToolRegistry } from "./tools/tool-registry.ts";
import type { TurnTools } from "./turns/turn-parts.ts";
import { LaneLostError } from "./turns/turn-tools.ts";

export interface TurnToolsParts {
  readonly ports: Ports;
  readonly store: Store;
  readonly hooks: CallableHooks;
  readonly options: Pick<GatewayOptions, "attachments" | "stateDir">;
  readonly accounts: Pick<GatewayAccounts, "findFiles" | "getChannel" | "whenTried">;
  readonly files: OutgoingFiles | undefined;
  /** Those that act on sessions. */
  readonly sessionTools: readonly Tool[];
}

/** The built-in tools as turns call them: policies, hooks and limits of the session applied. */
export function buildTurnTools(parts: TurnToolsParts): TurnTools {
  const { ports, hooks, options, sessionTools } = parts;
  // What no tool may show.
  const blockedPaths = options.stateDir === undefined ? [] : [options.stateDir];
  const saveAttachment = createSaveAttachmentTool({
    read: parts.store.read,
    limits: getAttachmentRules(options.attachments),
    findFiles: (address) => parts.accounts.findFiles(address),
    whenTried: (address) => parts.accounts.whenTried(address),
    ports,
  });
  const message = createMessageTool({
    files: parts.files,
    ports,
    findCapability: (address) => parts.accounts.getChannel(address).files,
  });
  const own = [createListFilesTool(), createReadFileTool(), saveAttachment, message];
  const registry = createToolRegistry([...own, ...sessionTools]);
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
      const { sessionKey, turnId, agent, signal, turn, ask, begin } = session;
      const { policies, workspaceDir, openPaths } = agent;
      const scope = {
        policies,
        workspaceDir,
        // What was saved for one conversation is not for the others of the workspace.
        blockedPaths: [...blockedPaths, join(workspaceDir, HOST_FOLDER)],
        openPaths,
        caller: { ...turn, policies },
        limits: getToolLimits(agent.budgets),
        signal,
        ask,
        begin,
      };
      return callTool({ sessionKey, agentId: agent.id, turnId, call }, scope);
    },
  };
}
