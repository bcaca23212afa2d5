import type { BindingRow } from "@banyan/store";
import { resolveAgentIdFromSessionKey } from "../sessions/keys/agent-session-key.ts";
import type { Routed } from "./route-message.ts";

/**
 * The agent and session of what is written at a bound address: the child's, whatever the routes say. `undefined` where
 * the binding names no agent's session: then it is dead, and the message goes its normal way. Pure.
 */
export function routeBound(binding: BindingRow): Routed | undefined {
  const agentId = resolveAgentIdFromSessionKey(binding.sessionKey);
  return agentId === null ? undefined : { agentId, sessionKey: binding.sessionKey, bindingId: binding.id };
}
