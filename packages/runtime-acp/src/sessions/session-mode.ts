import type { LaunchPlan } from "../agents/launch-plan.ts";
import { findOption } from "../links/agent-answer.ts";
import type { AgentProcess, StandingSession } from "../processes/agent-process.ts";

/** Sets a session to the mode of its profile; also one that stood open: an agent may change its mode itself. */
export async function setMode({ link }: AgentProcess, standing: StandingSession, plan: LaunchPlan): Promise<void> {
  const { mode, needsMode, name } = plan;
  const { id, offer } = standing;
  const { modes } = offer;
  const option = findOption(offer, "mode");
  if (mode === undefined) {
    if (needsMode && (modes !== undefined || option !== undefined))
      throw refuseMode(name, "none is set for the profile", modes);
    return;
  }
  if (modes?.includes(mode)) return link.setMode(id, mode);
  if (option !== undefined) {
    standing.offer = { ...offer, options: await link.setOption(id, option.id, mode) };
    return;
  }
  if (modes !== undefined || needsMode) throw refuseMode(name, `it has no mode "${mode}"`, modes);
}

function refuseMode(name: string, wrong: string, modes: readonly string[] | undefined): Error {
  const offered = modes === undefined ? "it offers none" : `it offers ${modes.join(", ")}`;
  return new Error(
    `The mode of the agent ${name} was set: ${wrong}; ${offered}; set acp.mode of the agent's configuration to one of them`,
  );
}
