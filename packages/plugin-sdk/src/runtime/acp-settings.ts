/** How the configuration describes an agent of the Agent Client Protocol to the runtime that starts it. */

/** Agents whose command, environment and modes the runtime knows. */
export const ACP_AGENTS = ["claude", "codex", "gemini", "opencode", "qwen", "pi"] as const;
export type AcpAgentName = (typeof ACP_AGENTS)[number];

/**
 * What becomes of an agent's requests for permission. `ask`: the person whom the turn works for decides each. `chat-safe`:
 * all are denied, so that the agent only talks; for chats in which anybody may write.
 */
export const ACP_PROFILES = ["ask", "chat-safe"] as const;
export type AcpProfile = (typeof ACP_PROFILES)[number];

export interface AcpCommand {
  /** Absolute, or a name that `PATH` leads to. Never given to a shell. */
  readonly command: string;
  readonly args: readonly string[];
}

export interface AcpSettings {
  readonly agent: AcpAgentName | AcpCommand;
  /** Absent: as `ask`, and only where nobody but known people can write. */
  readonly profile?: AcpProfile | undefined;
  /** The mode that each session is set to, by the agent's own name. Absent: the one that the runtime knows for the profile. */
  readonly mode?: string | undefined;
  /** Names of variables that the agent is given beside those that each agent needs. */
  readonly env: readonly string[];
}

/** An agent as records and sentences name it: in the configuration's words, or the file's name of its command. */
export function nameAcpAgent(agent: AcpSettings["agent"]): string {
  if (typeof agent === "string") return agent;
  return agent.command.split(/[/\\]/).at(-1) ?? agent.command;
}
