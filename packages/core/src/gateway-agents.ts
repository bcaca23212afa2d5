import type { GatewayOptions } from "./gateway-options.ts";
import { BanyanError } from "./ports/errors.ts";
import type { TurnAgent } from "./turns/turn-parts.ts";

/** An agent as turns need it; one that is not configured any more is stood in for by the default agent. */
export function getTurnAgent({ agents, routes }: Pick<GatewayOptions, "agents" | "routes">, id: string): TurnAgent {
  const agent = agents[id] ?? agents[routes.defaultAgent];
  if (agent === undefined)
    throw new BanyanError("runtime_unavailable", `The agent ${id} was looked up: there is none; name it under agents`);
  const { runtime, instructions, workspace: workspaceDir } = agent;
  return { id, runtime, workspaceDir, ...(instructions === undefined ? {} : { instructions }) };
}
