import type { SessionToolsConfig } from "../config.ts";
import type { SessionVisibility } from "./session-visibility.ts";

export const DEFAULT_SESSION_TOOLS: SessionToolsConfig = {
  visibility: "tree",
  agentToAgent: { enabled: false, allow: [] },
};

/** What an embedding program may say of the session tools. */
export interface SessionToolsInput {
  readonly visibility?: SessionVisibility | undefined;
  readonly agentToAgent?: Partial<SessionToolsConfig["agentToAgent"]> | undefined;
}

/** The rules of the session tools with every default filled in. */
export function getSessionToolRules(input: SessionToolsInput | undefined): SessionToolsConfig {
  return {
    visibility: input?.visibility ?? DEFAULT_SESSION_TOOLS.visibility,
    agentToAgent: { ...DEFAULT_SESSION_TOOLS.agentToAgent, ...input?.agentToAgent },
  };
}
