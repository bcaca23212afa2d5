import { BanyanError } from "../../ports/errors.ts";
import { foldToPlainName } from "./plain-name.ts";
import { formatReceivedValue } from "./received-value.ts";

/** The agent that is meant when none is named. */
export const DEFAULT_AGENT_ID = "main";

/**
 * Gives the agent id that a free text means: `"Ops Team"` is `ops-team`. Absent or blank is `main`.
 * Throws `invalid_agent_id` when nothing representable is left (`"日本"`, `".."`): never another agent than was meant.
 */
export function normalizeAgentId(agentId: string | null | undefined): string {
  if (agentId === undefined || agentId === null || agentId.trim() === "") return DEFAULT_AGENT_ID;
  const folded = foldToPlainName(agentId);
  if (folded !== undefined) return folded;
  throw new BanyanError(
    "invalid_agent_id",
    `reading an agent id: it has no character that a session key may contain, received ${formatReceivedValue(agentId)}; use a-z, 0-9, _ and -, beginning with a letter or digit`,
  );
}
