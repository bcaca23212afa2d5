import type { RuntimeHost } from "@banyan/plugin-sdk";
import type { AgentProcess, StandingSession } from "../processes/agent-process.ts";

/** A session that nobody talks in for so long is let go; the next turn takes it up again. */
const REST_LIMIT_MS = 5 * 60_000;

/** A session is over in this process: its way to the tools is closed, and the agent is told. Never rejects. */
export async function letGo(
  agent: AgentProcess,
  standing: StandingSession,
  { log }: Pick<RuntimeHost, "log">,
): Promise<void> {
  standing.cancelRest?.();
  standing.grant?.revoke();
  // It was opened anew meanwhile, and that one is in use.
  if (agent.sessions.get(standing.id) !== standing) return;
  agent.sessions.delete(standing.id);
  agent.link.forget(standing.id);
  if (!agent.abilities.canClose || agent.isGone) return;
  try {
    await agent.link.closeSession(standing.id);
  } catch (error) {
    log.warn({ err: error, agent: agent.name }, "an agent's session was not closed; it stays until its process ends");
  }
}

/** Nobody needs it for now. One that could not be closed and taken up again stands as long as its process. */
export function letRest(
  agent: AgentProcess,
  standing: StandingSession,
  { clock, log }: Pick<RuntimeHost, "clock" | "log">,
): void {
  standing.cancelRest?.();
  const { canResume, canLoad, canClose } = agent.abilities;
  if (!canClose || (!canResume && !canLoad)) return;
  standing.cancelRest = clock.schedule(REST_LIMIT_MS, () => void letGo(agent, standing, { log }));
}
