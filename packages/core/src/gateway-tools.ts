import type { Store } from "@banyan/store";
import { getAttachmentRules } from "./config/shapes/attachments-config.ts";
import type { GatewayAccounts } from "./gateway-accounts.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { type CallableHooks, createHookView } from "./hooks/lifecycle-hooks.ts";
import type { OutgoingFiles } from "./outbound/outgoing-files.ts";
import type { Ports } from "./ports/ports.ts";
import {
  type AttachmentReader,
  type AttachmentReaderParts,
  createAttachmentReader,
} from "./tools/attachments/attachment-reader.ts";
import { createSaveAttachmentTool } from "./tools/attachments/save-attachment.ts";
import { createToolCaller } from "./tools/call.ts";
import { createCallCounter, type ToolCounts } from "./tools/checks/call-record.ts";
import { createCheckChain } from "./tools/checks/chain.ts";
import { createExecTool } from "./tools/exec/exec-tool.ts";
import { createListFilesTool } from "./tools/files/list-files.ts";
import { createReadFileTool } from "./tools/files/read-file.ts";
import { createWriteFileTool } from "./tools/files/write-file.ts";
import { getToolLimits, narrowLimits } from "./tools/limits.ts";
import { createMessageTool } from "./tools/message-tool.ts";
import {
  createPluginTools,
  createToolRegistry,
  joinTools,
  type LoadedToolPlugin,
  type OfferedTools,
} from "./tools/registry.ts";
import type { Tool } from "./tools/tool.ts";
import type { TurnTools } from "./turns/turn-parts.ts";
import { LaneLostError } from "./turns/turn-tools.ts";

export interface TurnToolsParts {
  readonly ports: Ports;
  readonly store: Store;
  readonly hooks: CallableHooks;
  readonly options: Pick<
    GatewayOptions,
    "attachments" | "hiddenPaths" | "listReadOnlyPaths" | "processEnv" | "stateDir" | "toolPlugins"
  >;
  readonly accounts: Pick<GatewayAccounts, "findFiles" | "getChannel" | "whenTried">;
  readonly files: OutgoingFiles | undefined;
  /** Those that act on sessions. */
  readonly sessionTools: readonly Tool[];
}

export interface GatewayTools extends TurnTools {
  readonly readAttachment: AttachmentReader;
  readonly readCounts: () => ToolCounts;
}

/** The built-in tools as turns call them: policies, hooks and limits of the session applied. */
export function buildTurnTools(parts: TurnToolsParts): GatewayTools {
  const { ports, hooks, options, sessionTools } = parts;
  // What no tool may show.
  const { stateDir, hiddenPaths = [] } = options;
  const blockedPaths = [...(stateDir === undefined ? [] : [stateDir]), ...hiddenPaths];
  const received: AttachmentReaderParts = {
    limits: getAttachmentRules(options.attachments),
    findFiles: (address) => parts.accounts.findFiles(address),
    whenTried: (address) => parts.accounts.whenTried(address),
    ports,
  };
  const saveAttachment = createSaveAttachmentTool({ ...received, read: parts.store.read, ports });
  const message = createMessageTool({
    files: parts.files,
    ports,
    findCapability: (address) => parts.accounts.getChannel(address).files,
  });
  const exec = createExecTool({ ...ports, env: options.processEnv ?? {} });
  const own = [createListFilesTool(), createReadFileTool(ports), createWriteFileTool(), exec, saveAttachment, message];
  const offered = (options.toolPlugins ?? []).map((loaded) => openToolPlugin(loaded, parts));
  const registry = createToolRegistry(joinTools([...own, ...sessionTools], offered));
  const counter = createCallCounter();
  const callTool = createToolCaller({
    registry,
    clock: ports.clock,
    log: ports.log,
    scrub: ports.scrub,
    listChecks: createCheckChain({ log: ports.log, scrub: ports.scrub, hooks, more: [counter.check] }),
    isLaneLost: (thrown) => thrown instanceof LaneLostError,
  });
  return {
    readCounts: counter.read,
    readAttachment: createAttachmentReader(received),
    isRepeatable: (name) => registry.find(name)?.isRepeatable ?? true,
    describe: (agent) => registry.list(agent.policies),
    call: (call, session) => {
      const { sessionKey, turnId, agent, signal, turn, ask, record, begin } = session;
      const { policies, boundaries, workspaceDir, openPaths } = agent;
      const scope = {
        policies,
        boundaries,
        workspaceDir,
        blockedPaths,
        openPaths,
        listReadOnlyPaths: createOnce(options.listReadOnlyPaths ?? (() => [])),
        caller: { ...turn, policies },
        limits: narrowLimits(getToolLimits(agent.budgets), boundaries),
        signal,
        ask,
        record,
        begin,
      };
      return callTool({ sessionKey, agentId: agent.id, turnId, call }, scope);
    },
  };
}

/** One tool call asks for each of its paths; the list is built for the first one. */
function createOnce<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Its taps carry its name. */
function openToolPlugin(loaded: LoadedToolPlugin, { ports, hooks }: TurnToolsParts): OfferedTools {
  const { plugin, config } = loaded;
  plugin.tap?.(createHookView(hooks, plugin.id).hooks, { config, log: ports.log });
  return { by: plugin.id, tools: createPluginTools(loaded, ports.log) };
}
