import { mkdir } from "node:fs/promises";
import type { RuntimeHost, SessionSpec } from "@banyan/plugin-sdk";
import type { LaunchPlan } from "../agents/launch-plan.ts";
import type { SessionPlace } from "../links/agent-link.ts";
import type { AgentProcess, StandingSession } from "../processes/agent-process.ts";
import type { ToolDoor } from "../tools/tool-door.ts";

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
  readonly spec: SessionSpec;
  readonly host: RuntimeHost;
  readonly door: ToolDoor;
}

/** Takes the session up that an earlier turn kept, as far as the agent can, else begins one; then sets its mode. */
export async function resolveAgentSession(agent: AgentProcess, question: SessionQuestion): Promise<AgentSession> {
  const { cwd, plan } = question;
  const open = agent.sessions.get(findKeptId(question) ?? "");
  // One whose way to the tools was closed is opened anew, with another way.
  const isOpen = open !== undefined && open.grant?.isRevoked !== true;
  const opened = isOpen ? { standing: open, isTakenUp: true } : await openSession(agent, question);
  agent.sessions.set(opened.standing.id, opened.standing);
  await setMode(agent, opened.standing, plan);
  return { ...opened, cwd };
}

async function openSession(agent: AgentProcess, question: SessionQuestion): Promise<Omit<AgentSession, "cwd">> {
  const { cwd, plan, spec, host, door } = question;
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  const tools = await door.give(spec, agent.abilities, host);
  const place: SessionPlace = { cwd, meta: plan.meta, servers: tools?.servers ?? [] };
  try {
    const taken = await takeUpKept(agent, question, place);
    const opened = taken ?? (await agent.link.newSession(place));
    if (tools === undefined) return { standing: { ...opened, heard: new Set() }, isTakenUp: taken !== undefined };
    // Whoever holds it then is no agent of ours.
    void agent.gone.then(() => tools.grant.revoke());
    return { standing: { ...opened, heard: new Set(), grant: tools.grant }, isTakenUp: taken !== undefined };
  } catch (error) {
    tools?.grant.revoke();
    throw error;
  }
}

function findKeptId({ cwd, plan, spec: { acp: kept } }: SessionQuestion): string | undefined {
  return kept?.agent === plan.name && kept.cwd === cwd ? kept.identity.agentSessionId : undefined;
}

async function takeUpKept(
  agent: AgentProcess,
  question: SessionQuestion,
  place: SessionPlace,
): Promise<Pick<StandingSession, "id" | "offer"> | undefined> {
  const id = findKeptId(question);
  const { canResume, canLoad } = agent.abilities;
  if (id === undefined || (!canResume && !canLoad)) return undefined;
  const offer = await agent.link.takeUp(id, place, canResume ? "resume" : "load");
  return offer === undefined ? undefined : { id, offer };
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
