import type { SessionVisibility } from "./session-visibility.ts";

export interface ToolsInput {
  /** Which sessions an agent sees: its own, its tree, its agent's or all. Default `tree`. */
  readonly sessions?: { readonly visibility?: SessionVisibility | undefined } | undefined;
  readonly agentToAgent?: AgentToAgentInput | undefined;
  readonly attachments?: AttachmentsInput | undefined;
}

export interface AttachmentsInput {
  /** The largest file of a message that an agent may save. Default 20 MiB. */
  readonly limitBytes?: number | undefined;
  /** How much of such files one turn may save. Default 50 MiB. */
  readonly turnLimitBytes?: number | undefined;
}

export interface AgentToAgentInput {
  /** Agents may write to sessions of other agents. Default `false`. */
  readonly enabled?: boolean | undefined;
  /** Which agents take part; `"*"` is any. Default: none. */
  readonly allow?: readonly string[] | undefined;
}
