import { join } from "node:path";
import type { Config } from "@banyan/core";
import type { AgentRuntime } from "@banyan/plugin-sdk";
import { openModelRuntime } from "./model-agents.ts";

export interface RuntimeSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** Below the state directory: where foreign agents work, a folder for each conversation. */
const ACP_FOLDER = "acp";

/** What every gateway brings along. A runtime is imported with the first turn that needs it. */
export function createBuiltInRuntimes(
  config: Config,
  { env, version }: RuntimeSurroundings,
): Readonly<Record<string, () => Promise<AgentRuntime>>> {
  const { agents, defaultAgent, stateDir } = config;
  return {
    demo: async () => (await import("@banyan/runtime-demo")).createDemoRuntime(),
    echo: async () => (await import("@banyan/runtime-demo")).createEchoRuntime(),
    ai: () => openModelRuntime(config),
    acp: async () =>
      (await import("@banyan/runtime-acp")).createAcpRuntime({
        // One that is configured no more is stood in for by the default agent, as in every turn.
        findSettings: (id) => (agents[id] ?? agents[defaultAgent])?.acp,
        env,
        folder: join(stateDir, ACP_FOLDER),
        version,
      }),
  };
}
