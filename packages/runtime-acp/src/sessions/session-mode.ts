import type { LaunchPlan } from "../agents/launch-plan.ts";
import type { AgentProcess, StandingSession } from "../processes/agent-process.ts";

/** Sets a session to the mode of its profile; also one that stood open: an agent may change its mode itself. */
export async function setMode({ link }: AgentProcess, { id, offer }: StandingSession, plan: LaunchPlan): Promise<void> {
  const { mode, needsMode, name } = plan;
  const { modes, modeOption } = offer;
  if (mode === undefined) {
    if (needsMode && (modes !== undefined || modeOption !== undefined))
      throw refuseMode(name, "none is set for the profile", modes);
    return;
  }
  if (modes?.includes(mode)) return link.setMode(id, mode);
  if (modeOption !== undefined) return link.setOption(id, modeOption, mode);
  if (modes !== undefined || needsMode) throw refuseMode(name, `it has no mode "${mode}"`, modes);
}

function refuseMode(name: string, wrong: string, modes: readonly string[] | undefined): Error {
  const offered = modes === undefined ? "it offers none" : `it offers ${modes.join(", ")}`;
  return new Error(
    `The mode of the agent ${name} was set: ${wrong}; ${offered}; set acp.mode of the agent's configuration to one of them`,
  );
}
