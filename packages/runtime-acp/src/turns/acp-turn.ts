import type { AcpRecord, RuntimeHost, SessionSpec, TurnInput, TurnMessage } from "@banyan/plugin-sdk";
import { createRunHandle, type LiveRun, type LiveTurn, type TurnEnd } from "@banyan/plugin-sdk/runtime";
import type { LaunchPlan } from "../agents/launch-plan.ts";
import type { PromptAnswer } from "../links/agent-answer.ts";
import { isAnswer } from "../links/agent-failure.ts";
import type { AgentProcess } from "../processes/agent-process.ts";
import type { AgentSession } from "../sessions/agent-session.ts";
import { createTurnTools, findFirstOrdinal } from "../tools/turn-tools.ts";
import { CostMeter } from "./cost-meter.ts";
import { PromptEar } from "./prompt-ear.ts";
import { decideDeath, decideEnd, decideFailure, fail } from "./prompt-end.ts";
import { buildImageBlocks } from "./prompt-images.ts";
import { buildPrompt } from "./prompt-text.ts";
import { PromptUsage } from "./prompt-usage.ts";
import { decideReopening, type Reopening } from "./reopening.ts";
import { SteerDesk } from "./steer-desk.ts";

/** An agent that has not come to rest so long after it was told to stop is given up. Within the host's own 5 s. */
const CANCEL_LIMIT_MS = 3_000;
const LOST =
  "The agent was cut off while it worked on this, and cannot resume its session: what it has done is unknown. Check that, then write again";

export interface AcpTurnParts {
  readonly agent: AgentProcess;
  readonly session: AgentSession;
  readonly plan: LaunchPlan;
  readonly spec: SessionSpec;
  readonly host: RuntimeHost;
  /** What stands in the session's record. */
  readonly kept: AcpRecord | undefined;
  onKept(record: AcpRecord): void;
  /** The agent has answered to its end. */
  onWorked(): void;
  /** It does not hear that it is to stop. */
  onStuck(): void;
}

/** Hands a turn to the agent as one prompt and tells what comes of it. */
export function runAcpTurn(input: TurnInput, parts: AcpTurnParts): LiveRun {
  const { agent, session, host, spec } = parts;
  const desk = new SteerDesk(agent, session.standing.id, { clock: host.clock, namesSenders: namesSenders(spec) });
  return createRunHandle(input, (turn) => answerTurn(turn, desk, parts), {
    log: host.log,
    firstOrdinal: findFirstOrdinal(input.committedCalls),
    steer: (message: TurnMessage) => desk.steer(message),
  });
}

async function answerTurn(turn: LiveTurn, desk: SteerDesk, parts: AcpTurnParts): Promise<TurnEnd> {
  const { agent, session, host, spec, plan, kept } = parts;
  const { id } = session.standing;
  const { turnId } = turn.input;
  const reopening = decideReopening(kept, session, turnId);
  if (reopening.kind === "lost") return fail(LOST, false);
  const images = await turn.waitFor(buildImageBlocks(turn, agent.abilities));
  const prompt = [...images, ...(await turn.waitFor(buildTurnPrompt(turn, reopening, spec)))];
  const record = buildRecord(parts, turnId, reopening);
  // Before the agent hears anything: whoever finds the turn cut off must know that it did.
  await turn.waitFor(host.keepAcp?.(record) ?? Promise.resolve());
  parts.onKept(record);
  const { audience = "anybody" } = spec;
  const { earlierUsage } = turn.input;
  const meter = new CostMeter(earlierUsage?.spentUsd ?? record.spentUsd);
  const usage = new PromptUsage(turn, meter);
  const ear = new PromptEar({ turn, profile: plan.profile, audience, usage, log: host.log });
  const stopCalls = session.standing.grant?.begin(createTurnTools(turn), spec.tools);
  const { answer, stopListening } = agent.link.startPrompt(id, prompt, ear);
  try {
    desk.open();
    return await awaitEnd(turn, answer, { ear, usage }, parts);
  } finally {
    stopCalls?.();
    await desk.close();
    stopListening();
    // The host has counted it by the time it begins another turn.
    parts.onKept({ ...record, ...meter.report });
  }
}

/** Where more than one may write, each message says whose it is. */
function namesSenders({ audience }: SessionSpec): boolean {
  return audience !== "known";
}

async function buildTurnPrompt(turn: LiveTurn, reopening: Told, spec: SessionSpec) {
  const { instructions } = spec;
  const { wasCutOff, needsInstructions, needsHistory } = reopening;
  return buildPrompt({
    messages: turn.input.input.filter(({ kind }) => kind !== "system"),
    namesSenders: namesSenders(spec),
    wasCutOff,
    ...(needsInstructions ? { instructions } : {}),
    ...(needsHistory ? { history: await turn.input.history() } : {}),
  });
}

interface Hearing {
  readonly ear: PromptEar;
  readonly usage: PromptUsage;
}

type Told = Extract<Reopening, { readonly kind: "told" }>;

type Outcome =
  | { readonly kind: "answered"; readonly answer: PromptAnswer }
  | { readonly kind: "failed"; readonly error: unknown };

async function awaitEnd(
  turn: LiveTurn,
  prompting: Promise<PromptAnswer>,
  { ear, usage }: Hearing,
  parts: AcpTurnParts,
): Promise<TurnEnd> {
  const { agent } = parts;
  const outcome: Promise<Outcome> = prompting.then(
    (answer) => ({ kind: "answered", answer }),
    (error: unknown) => ({ kind: "failed", error }),
  );
  const stopped = Promise.withResolvers<"stopped">();
  const stop = () => stopped.resolve("stopped");
  turn.signal.addEventListener("abort", stop, { once: true });
  if (turn.signal.aborted) stop();
  const first = await Promise.race([outcome, stopped.promise, agent.gone]);
  turn.signal.removeEventListener("abort", stop);
  if (first === "stopped") return cancel(outcome, turn, usage, parts);
  if (typeof first === "string") return decideDeath(first);
  if (first.kind === "failed") {
    // The connection breaks a moment before the process is known to be gone, and it ends with the connection.
    return isAnswer(first.error) ? decideFailure(agent.name, first.error) : decideDeath(await agent.gone);
  }
  parts.onWorked();
  usage.noteAnswer(first.answer);
  return decideEnd(first.answer, ear.hasSpoken);
}

/** The agent is told to stop, and is at rest when its prompt has ended. One that does not hear is given up. */
async function cancel(
  outcome: Promise<Outcome>,
  turn: LiveTurn,
  usage: PromptUsage,
  { agent, session, host, onStuck }: AcpTurnParts,
): Promise<TurnEnd> {
  const late = Promise.withResolvers<"late">();
  const cancelLimit = host.clock.schedule(CANCEL_LIMIT_MS, () => late.resolve("late"));
  try {
    await Promise.race([agent.link.cancel(session.standing.id), agent.gone]);
    const end = await Promise.race([outcome, agent.gone, late.promise]);
    if (end === "late") {
      host.log.warn({ agent: agent.name, turnId: turn.input.turnId }, "an agent did not stop in time and is given up");
      onStuck();
    } else if (typeof end !== "string" && end.kind === "answered") usage.noteAnswer(end.answer);
  } finally {
    cancelLimit();
  }
  return { reason: "stopped" };
}

function buildRecord({ agent, session, plan, host, kept }: AcpTurnParts, turnId: string, told: Told): AcpRecord {
  const now = host.clock.now();
  const { id } = session.standing;
  const isSame = kept?.identity.agentSessionId === id && kept.identity.state === "resolved";
  const { canResume, canLoad, canFork } = agent.abilities;
  const { needsInstructions, needsHistory: withHistory } = told;
  return {
    backend: "acp",
    agent: plan.name,
    identity: isSame ? kept.identity : { state: "resolved", source: "ensure", agentSessionId: id, lastUpdatedAt: now },
    mode: "persistent",
    runtimeOptions: { profile: plan.profile, ...(plan.mode === undefined ? {} : { mode: plan.mode }) },
    usual: session.standing.usual,
    cwd: session.cwd,
    ...(kept?.gaveUp === undefined ? {} : { gaveUp: kept.gaveUp }),
    state: "running",
    turnId,
    ...(kept?.takesUp === undefined ? {} : { takesUp: kept.takesUp }),
    ...(needsInstructions ? { introduction: { turnId, withHistory } } : {}),
    spentUsd: findCountedUsd(session, kept),
    abilities: { canTakeUp: canResume || canLoad, canFork },
    lastActivityAt: now,
  };
}

/** Up to which total the cost of the agent's session is counted: of a new one there is none, of a copy that of its parent. */
function findCountedUsd({ standing, knowledge, parentUsd }: AgentSession, kept: AcpRecord | undefined) {
  if (knowledge === "begun") return 0;
  if (kept?.identity.agentSessionId === standing.id) return kept.spentUsd;
  return kept?.takesUp?.way === "fork" ? (parentUsd ?? kept.spentUsd) : undefined;
}
