import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AcpRecord, RuntimeHost, SessionSpec } from "@banyan/plugin-sdk";
import type { LaunchPlan } from "../agents/launch-plan.ts";
import type { BegunSession, SessionPlace } from "../links/agent-link.ts";
import type { AgentProcess, StandingSession } from "../processes/agent-process.ts";
import type { ToolDoor } from "../tools/tool-door.ts";
import { letGo } from "./let-go.ts";
import { setChoices } from "./session-choice.ts";
import { setMode } from "./session-mode.ts";

/** The agent's side of a conversation, open in a process. */
export interface AgentSession {
  readonly standing: StandingSession;
  readonly cwd: string;
  /** `begun`: it knows nothing. `joined`: what was said before, but not whom it works for now. `known`: both. */
  readonly knowledge: "begun" | "joined" | "known";
  /** Of a copy: what its parent had told that it cost, in US dollars. The copy may count on from there. */
  readonly parentUsd?: number | undefined;
}

export interface SessionQuestion {
  readonly plan: LaunchPlan;
  /** Absolute: where each session has a folder of its own, made where it is not there. */
  readonly folder: string;
  readonly spec: SessionSpec;
  readonly host: RuntimeHost;
  readonly door: ToolDoor;
}

/**
 * Takes the session up that an earlier turn kept, as far as the agent can, or the one that its record says it is to begin
 * with, else begins one; then sets its mode.
 */
export async function resolveAgentSession(agent: AgentProcess, question: SessionQuestion): Promise<AgentSession> {
  const { plan, spec, folder } = question;
  const cwd = findKeptId(question) === undefined ? getOwnFolder(folder, spec) : getCwd(spec.acp);
  const opened = (await findOpen(agent, question)) ?? (await openSession(agent, question, cwd));
  opened.standing.cancelRest?.();
  agent.sessions.set(opened.standing.id, opened.standing);
  leaveOthers(agent, opened.standing, question.host);
  await setMode(agent, opened.standing, plan);
  await setChoices(agent, opened.standing, spec, question.host);
  return { ...opened, cwd };
}

/** Nobody goes on in those that the conversation had before, as where it was set back: they must not pile up. */
function leaveOthers(agent: AgentProcess, { id, sessionKey }: StandingSession, host: RuntimeHost): void {
  for (const other of [...agent.sessions.values()])
    if (other.sessionKey === sessionKey && other.id !== id) void letGo(agent, other, host);
}

/** One whose way to the tools was closed, or leads to another conversation, is opened anew, with another way. */
async function findOpen(
  agent: AgentProcess,
  question: SessionQuestion,
): Promise<Omit<AgentSession, "cwd"> | undefined> {
  const standing = agent.sessions.get(findKeptId(question) ?? "");
  if (standing === undefined || standing.grant?.isRevoked === true) return undefined;
  const knowledge = findPending(question) === undefined ? "known" : "joined";
  if (standing.sessionKey === question.spec.sessionKey) return { standing, knowledge };
  await letGo(agent, standing, question.host);
  return undefined;
}

async function openSession(
  agent: AgentProcess,
  question: SessionQuestion,
  cwd: string,
): Promise<Omit<AgentSession, "cwd">> {
  const { plan, spec, host, door } = question;
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  const tools = await door.give(spec, agent.abilities, host);
  const place: SessionPlace = { cwd, meta: plan.meta, servers: tools?.servers ?? [] };
  try {
    const taken = await takeUp(agent, question, place);
    const begun = taken?.session ?? (await agent.link.newSession(place));
    const knowledge = taken?.knowledge ?? "begun";
    const { sessionKey, sessionId, acp: kept } = spec;
    const usual = begun.id === kept?.identity.agentSessionId ? kept.usual : undefined;
    const standing = { ...begun, sessionKey, sessionId, usual };
    const parentUsd = agent.link.findToldUsd(findPending(question)?.agentSessionId ?? "");
    if (tools === undefined) return { standing, knowledge, parentUsd };
    // Whoever holds it then is no agent of ours.
    void agent.gone.then(() => tools.grant.revoke());
    return { standing: { ...standing, grant: tools.grant }, knowledge, parentUsd };
  } catch (error) {
    tools?.grant.revoke();
    throw error;
  }
}

/** A session stays in the folder it was begun in: the conversation's own, or of the one that gave it up. */
function findKeptId({ folder, plan, spec }: SessionQuestion): string | undefined {
  const { acp: kept } = spec;
  if (kept?.agent !== plan.name || dirname(kept.cwd) !== folder) return undefined;
  const isOwn = kept.cwd === getOwnFolder(folder, spec) || kept.takesUp?.way === "resume";
  return isOwn ? kept.identity.agentSessionId : undefined;
}

/** What the session is to begin with, and has not yet. */
function findPending({ spec: { acp: kept } }: SessionQuestion): AcpRecord["takesUp"] {
  return kept?.identity.state === "pending" ? kept.takesUp : undefined;
}

/** Another one behind each session that was given up to another conversation: that goes on in the one before. */
function getOwnFolder(folder: string, { sessionId, acp }: Pick<SessionSpec, "sessionId" | "acp">): string {
  const gaveUp = acp?.gaveUp ?? 0;
  return join(folder, `${encodeURIComponent(sessionId)}${gaveUp === 0 ? "" : `.${gaveUp}`}`);
}

function getCwd(kept: AcpRecord | undefined): string {
  if (kept === undefined) throw new Error("The folder of an agent's session was read: no session was kept");
  return kept.cwd;
}

interface TakenSession {
  readonly session: BegunSession;
  readonly knowledge: "joined" | "known";
}

async function takeUp(
  agent: AgentProcess,
  question: SessionQuestion,
  place: SessionPlace,
): Promise<TakenSession | undefined> {
  const takesUp = findPending(question);
  if (takesUp?.way === "fork") return forkSession(agent, question, takesUp.agentSessionId, place);
  const id = findKeptId(question);
  const { canResume, canLoad } = agent.abilities;
  const canTakeUp = id !== undefined && (canResume || canLoad);
  const offer = canTakeUp ? await agent.link.takeUp(id, place, canResume ? "resume" : "load") : undefined;
  if (id !== undefined && offer !== undefined)
    return { session: { id, offer }, knowledge: takesUp === undefined ? "known" : "joined" };
  // Who asked for that very session is not given another one.
  if (takesUp !== undefined) throw refuseResume(agent, canTakeUp);
  return undefined;
}

/** Where the agent makes no copy, the conversation is told to a session of its own. */
async function forkSession(
  agent: AgentProcess,
  { plan, spec, host }: SessionQuestion,
  parentId: string,
  place: SessionPlace,
): Promise<TakenSession | undefined> {
  const isFit = spec.acp?.agent === plan.name && agent.abilities.canFork;
  const session = isFit ? await agent.link.fork(parentId, place) : undefined;
  if (session !== undefined) return { session, knowledge: "joined" };
  host.log.warn({ agent: plan.name }, "an agent made no copy of its session; a new one gets what was said");
  return undefined;
}

function refuseResume({ name }: AgentProcess, canTakeUp: boolean): Error {
  const wrong = canTakeUp ? "it does not know that session any more" : "it takes no session up again";
  return new Error(`A session of the agent ${name} was gone on with: ${wrong}; spawn without resumeSessionId`);
}
