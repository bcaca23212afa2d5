import { mkdir } from "node:fs/promises";
import type { AcpRecord } from "@banyan/plugin-sdk";
import type { LaunchPlan } from "../agents/launch-plan.ts";
import type { SessionPlace } from "../links/agent-link.ts";
import type { AgentProcess, StandingSession } from "../processes/agent-process.ts";

/** The agent's side of a conversation, open in a process. */
export interface AgentSession {
  readonly standing: StandingSession;
  readonly cwd: string;
  /** It knows what was said before. */
  readonly isTakenUp: boolean;
}

export interface SessionQuestion {
  readonly plan: LaunchPlan;
  /** Absolute; made where it is not there. */
  readonly cwd: string;
  /** What an earlier turn kept. */
  readonly kept: AcpRecord | undefined;
}

/** Takes the session up that an earlier turn kept, as far as the agent can, else begins one; then sets its mode. */
export async function resolveAgentSession(agent: AgentProcess, question: SessionQuestion): Promise<AgentSession> {
  const { cwd, plan, kept } = question;
  const isOpen = agent.sessions.has(kept?.identity.agentSessionId ?? "");
  if (!isOpen) await mkdir(cwd, { recursive: true, mode: 0o700 });
  const taken = await takeUpKept(agent, question);
  const standing = taken ?? (await begin(agent, { cwd, meta: plan.meta }));
  agent.sessions.set(standing.id, standing);
  await setMode(agent, standing, plan);
  return { standing, cwd, isTakenUp: taken !== undefined };
}

async function takeUpKept(
  agent: AgentProcess,
  { cwd, kept, plan }: SessionQuestion,
): Promise<StandingSession | undefined> {
  const id = kept?.identity.agentSessionId;
  if (kept === undefined || id === undefined || kept.agent !== plan.name || kept.cwd !== cwd) return undefined;
  const open = agent.sessions.get(id);
  if (open !== undefined) return open;
  const { canResume, canLoad } = agent.abilities;
  if (!canResume && !canLoad) return undefined;
  const offer = await agent.link.takeUp(id, { cwd, meta: plan.meta }, canResume ? "resume" : "load");
  return offer === undefined ? undefined : { id, offer, heard: new Set() };
}

async function begin(agent: AgentProcess, place: SessionPlace): Promise<StandingSession> {
  return { ...(await agent.link.newSession(place)), heard: new Set() };
}

/** Also of one that stood open: an agent may change its mode itself. */
async function setMode({ link }: AgentProcess, { id, offer }: StandingSession, plan: LaunchPlan): Promise<void> {
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
