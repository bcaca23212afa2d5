import { ndJsonStream } from "@agentclientprotocol/sdk";
import type { ToolGrant } from "@banyan/mcp-tools";
import type { AcpRecord, RuntimeHost } from "@banyan/plugin-sdk";
import type { LaunchPlan } from "../agents/launch-plan.ts";
import type { SessionOffer } from "../links/agent-answer.ts";
import { formatReason, isAnswer } from "../links/agent-failure.ts";
import { type AgentAbilities, AgentLink } from "../links/agent-link.ts";
import { ChildProcess } from "./child-process.ts";
import { createByteSink, createByteSource } from "./child-stream.ts";
import { StderrTail } from "./stderr-tail.ts";

/** An agent that is not ready by then hangs. Shorter than the host waits for a session to open. */
const START_LIMIT_MS = 25_000;
/** Of one message: an agent's answer comes in pieces, and no piece is so large. */
const MESSAGE_LIMIT_BYTES = 16 * 1_024 * 1_024;

export interface AgentStart {
  readonly plan: LaunchPlan;
  /** Absolute: an empty folder; each session has one of its own beside it. */
  readonly cwd: string;
  readonly version: string;
}

/** A session of the agent that is open in its process. */
export interface StandingSession {
  readonly id: string;
  /** The conversation that it is open for. */
  readonly sessionKey: string;
  readonly sessionId: string;
  /** What it can be set to, and is. */
  offer: SessionOffer;
  /** What it had by itself, of what it was set to. */
  usual?: AcpRecord["usual"];
  /** Its way to the conversation's tools; absent where it has none. */
  readonly grant?: ToolGrant;
  /** Nobody talks in it, and this keeps it. */
  cancelRest?: (() => void) | undefined;
}

/** An agent at work: its process and the protocol with it. */
export interface AgentProcess {
  readonly name: string;
  readonly link: AgentLink;
  readonly abilities: AgentAbilities;
  /** By the agent's own ids. */
  readonly sessions: Map<string, StandingSession>;
  /** What the log was told of it and need not hear again. */
  readonly told: Set<string>;
  /** Resolves, with a sentence, when it is gone. */
  readonly gone: Promise<string>;
  readonly isGone: boolean;
  /** Resolves when nothing of it is left. Repeatable. */
  stop(): Promise<void>;
  kill(): void;
}

/** Starts an agent and greets it. Rejects, with nothing left behind, where it does not come up. */
export async function startAgent(
  { plan, cwd, version }: AgentStart,
  { clock, log }: RuntimeHost,
): Promise<AgentProcess> {
  const child = new ChildProcess({ command: plan.command, args: plan.args, env: plan.env, cwd }, clock);
  const tail = new StderrTail(log, plan.name, () => clock.monotonic());
  child.streams.stderr.setEncoding("utf8").on("data", (chunk: string) => tail.write(chunk));
  const { stdin, stdout } = child.streams;
  const link = new AgentLink(
    ndJsonStream(createByteSink(stdin), createByteSource(stdout), { maxMessageBytes: MESSAGE_LIMIT_BYTES }),
    (drop) => log.info({ agent: plan.name, ...drop }, "updates of an agent that belong to no prompt were dropped"),
  );
  const gone = child.exited.then((how) => {
    link.close();
    return `The agent ${plan.name} ${how}`;
  });
  // One that can be talked with no more is of no use, even if it lives on.
  void link.closed.then(() => child.stop());
  const late = new Error(`it was not ready after ${START_LIMIT_MS / 1_000} s`);
  const lateness = Promise.withResolvers<never>();
  const cancel = clock.schedule(START_LIMIT_MS, () => lateness.reject(late));
  const died = gone.then((how) => Promise.reject(new Error(formatDeath(how, tail.last))));
  try {
    const abilities = await Promise.race([link.initialize(version), died, lateness.promise]);
    // From here on its death is told by `gone`.
    died.catch(() => log.warn({ agent: plan.name, pid: child.pid, stderr: tail.last }, "an agent's process has ended"));
    log.info({ agent: plan.name, pid: child.pid, profile: plan.profile, ...abilities }, "an agent was started");
    return {
      name: plan.name,
      link,
      abilities,
      sessions: new Map(),
      told: new Set(),
      gone,
      get isGone() {
        return child.isGone;
      },
      stop: () => child.stop(),
      kill: () => child.kill(),
    };
  } catch (cause) {
    await child.stop();
    // Where the connection broke, how the process ended says more.
    const reason = isAnswer(cause) || cause === late ? cause : await died.catch((death: unknown) => death);
    throw new Error(
      `The agent ${plan.name} was started: ${formatReason(reason)}; see that its command works in a terminal`,
      { cause },
    );
  } finally {
    cancel();
  }
}

function formatDeath(how: string, stderr: readonly string[]): string {
  return stderr.length === 0 ? how : `${how}; it last wrote: ${stderr.at(-1)}`;
}
