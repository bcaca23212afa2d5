import type { AcpAgentName, AcpProfile } from "@banyan/plugin-sdk";
import { TOOLS_NAME } from "../tools/mcp-server.ts";

/** What an agent is set to so that a profile holds. */
export type ProfileSetting =
  | {
      readonly mode: string;
      readonly env?: Readonly<Record<string, string>>;
      /** What each session is opened with beside the protocol's own fields. */
      readonly meta?: SessionMeta;
    }
  /** It has no setting that keeps the profile; the sentence says why. */
  | { readonly refusal: string };

/** An agent as it is published: how it is started, what it reads from the environment, and the names of its modes. */
export interface KnownAgent {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly profiles: Readonly<Record<AcpProfile, ProfileSetting>>;
}

export type SessionMeta = Readonly<Record<string, unknown>>;

/**
 * No tool of its own, and none of the rules of its user's settings, which may allow what is asked for here (options of the
 * Claude Agent SDK, which its adapter takes from `_meta`). The host's tools are called unasked: it asks for them itself.
 */
const CLAUDE_TALKS: SessionMeta = {
  claudeCode: {
    options: { tools: [], allowedTools: [`mcp__${TOOLS_NAME}`], settingSources: [], strictMcpConfig: true },
  },
};
/** Its first request to the model waits until the host's tools are listed; else it goes out without them. */
const CLAUDE_WAITS = { MCP_CONNECTION_NONBLOCKING: "0" };
/** Where all is asked for, denying each question leaves an agent that only talks. */
const ASKS_IN_DEFAULT = { ask: { mode: "default" }, "chat-safe": { mode: "default" } };
/** It allows everything that no rule speaks of, so the rules come with its environment. Reading is in its own folder. */
const OPENCODE_READS = { read: "allow", glob: "allow", grep: "allow", todowrite: "allow" };
/** The host's own, which asks for them itself. */
const OPENCODE_TOOLS = { [`${TOOLS_NAME}_*`]: "allow" };
const OPENCODE_ASKS = JSON.stringify({ "*": "ask", ...OPENCODE_READS, ...OPENCODE_TOOLS });
const OPENCODE_DENIES = JSON.stringify({ "*": "deny", ...OPENCODE_TOOLS });
const NEVER_ASKS = "it runs commands without asking for permission";

/** By the name that `agents.<id>.acp.agent` takes. Modes are the ones that each agent's own documentation names. */
export const KNOWN_AGENTS: Readonly<Record<AcpAgentName, KnownAgent>> = {
  claude: {
    command: "claude-agent-acp",
    args: [],
    env: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "CLAUDE_CONFIG_DIR"],
    profiles: {
      ask: { mode: "default", env: CLAUDE_WAITS },
      "chat-safe": { mode: "default", env: CLAUDE_WAITS, meta: CLAUDE_TALKS },
    },
  },
  codex: {
    command: "codex-acp",
    args: [],
    env: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY", "CODEX_HOME"],
    profiles: {
      ask: { mode: "read-only" },
      "chat-safe": { refusal: "it reads any file of its user without asking for permission" },
    },
  },
  gemini: {
    command: "gemini",
    args: ["--acp"],
    env: [
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "GOOGLE_CLOUD_PROJECT",
      "GOOGLE_CLOUD_LOCATION",
      "GOOGLE_GENAI_USE_VERTEXAI",
    ],
    profiles: ASKS_IN_DEFAULT,
  },
  opencode: {
    command: "opencode",
    args: ["acp"],
    env: ["OPENCODE_CONFIG", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
    profiles: {
      ask: { mode: "build", env: { OPENCODE_PERMISSION: OPENCODE_ASKS } },
      "chat-safe": { mode: "plan", env: { OPENCODE_PERMISSION: OPENCODE_DENIES } },
    },
  },
  qwen: {
    command: "qwen",
    args: ["--acp"],
    env: ["DASHSCOPE_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"],
    profiles: ASKS_IN_DEFAULT,
  },
  pi: {
    command: "pi-acp",
    args: [],
    env: ["PI_CODING_AGENT_DIR", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    profiles: { ask: { refusal: NEVER_ASKS }, "chat-safe": { refusal: NEVER_ASKS } },
  },
};
