import type { Address, AgentRuntime } from "@banyan/plugin-sdk";
import type { AgentConfig, LimitsConfig, SessionToolsConfig } from "../config/config.ts";
import type { ThreadRules } from "../config/shapes/thread-rules.ts";
import type { RunParts } from "../runs/run-parts.ts";

/** What spawning and directing sub-agents is joined to in `gateway.ts`. */
export interface SubagentParts extends RunParts {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly limits: LimitsConfig;
  readonly threads: ThreadRules;
  readonly sessionTools: SessionToolsConfig;
  getRuntime(runtimeId: string): Promise<AgentRuntime>;
  /** Archives a thread that was opened for a child, with a name that says how it ended. Never rejects. */
  closeThread(thread: { readonly address: Address; readonly name?: string }): Promise<void>;
}
