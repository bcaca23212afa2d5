import { BanyanError } from "../../ports/errors.ts";
import { isPlainName } from "./plain-name.ts";
import { formatReceivedValue } from "./received-value.ts";

/** Names that Windows gives to devices in every folder; an agent may bear them, a folder may not. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * Names an agent's folder in the readable layout: the agent id itself, with a `+`, which no agent id holds, behind
 * a Windows device's name. The same on every system, so that a state directory can be moved.
 * Takes a normalized id; throws `invalid_agent_id` for any other text.
 */
export function buildAgentFolderName(agentId: string): string {
  if (isPlainName(agentId)) return DEVICE_NAME.test(agentId) ? `${agentId}+` : agentId;
  throw new BanyanError(
    "invalid_agent_id",
    `naming an agent's folder: the id is not normalized, received ${formatReceivedValue(agentId)}; pass it through normalizeAgentId first`,
  );
}
