import type {
  Address,
  AgentRuntime,
  RunHandle,
  RuntimeSession,
  StopReason,
  TurnInput,
  Usage,
} from "@banyan/plugin-sdk";
import type { TurnAgent, TurnChannel, TurnParts } from "./turn-parts.ts";

/** How an agent's part of a turn ended. */
export interface AgentEnd {
  readonly text: string;
  readonly reason: StopReason;
  readonly runtimeId: string;
  readonly usage?: Usage;
  readonly model?: string;
  /** With reason `error`: a sentence for people. */
  readonly error?: string;
}

export interface AgentRunSpec {
  readonly agent: TurnAgent;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly address: Address;
  readonly input: TurnInput;
  readonly channel: TurnChannel;
}

/** An agent at work on one turn. It can be stopped at any time, also before the runtime has opened. */
export class AgentRun {
  readonly #controller = new AbortController();
  #handle: RunHandle | undefined;
  #text = "";

  /** Aborts when the run is stopped: tools under way end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get textSoFar(): string {
    return this.#text;
  }

  async stop(reason: string): Promise<void> {
    this.#controller.abort(reason);
    await this.#handle?.abort(reason);
  }

  /** Runs to the end. Never rejects for what a runtime does: that is an end with reason `error`. */
  async run(spec: AgentRunSpec, parts: TurnParts): Promise<AgentEnd> {
    const stopTyping = spec.channel.connection?.typing?.start(spec.address);
    try {
      const runtime = await parts.getRuntime(spec.agent.runtime);
      return await this.#runIn(runtime, spec, parts);
    } catch (error) {
      parts.ports.log.error({ err: error, session: spec.sessionKey, runtime: spec.agent.runtime }, "a runtime failed");
      const message = error instanceof Error ? error.message : String(error);
      return {
        text: this.#text,
        reason: this.#controller.signal.aborted ? "stopped" : "error",
        runtimeId: spec.agent.runtime,
        error: message,
      };
    } finally {
      stopTyping?.();
      spec.channel.connection?.progress?.end({ turnId: spec.input.turnId, address: spec.address });
    }
  }

  async #runIn(runtime: AgentRuntime, spec: AgentRunSpec, parts: TurnParts): Promise<AgentEnd> {
    const { agent, sessionKey, sessionId } = spec;
    const session = await runtime.open(
      {
        sessionKey,
        sessionId,
        agentId: agent.id,
        workspaceDir: agent.workspaceDir,
        tools: parts.tools.describe(agent),
        ...(agent.instructions === undefined ? {} : { instructions: agent.instructions }),
      },
      { clock: parts.ports.clock, log: parts.ports.log },
      this.#controller.signal,
    );
    try {
      return await this.#read(session, runtime.id, spec);
    } finally {
      await session.close();
    }
  }

  async #read(session: RuntimeSession, runtimeId: string, spec: AgentRunSpec): Promise<AgentEnd> {
    if (this.#controller.signal.aborted) return { text: "", reason: "stopped", runtimeId };
    const { address, input, channel } = spec;
    const handle = session.run(input);
    this.#handle = handle;
    for await (const event of handle.events) {
      if (event.type === "text") {
        this.#text += event.delta;
        channel.connection?.progress?.update({ turnId: input.turnId, address, textSoFar: this.#text });
      }
      if (event.type !== "end") continue;
      const { reason, usage, model, error } = event;
      return {
        text: this.#text,
        reason,
        runtimeId,
        ...(usage === undefined ? {} : { usage }),
        ...(model === undefined ? {} : { model }),
        ...(error === undefined ? {} : { error: error.message }),
      };
    }
    return { text: this.#text, reason: "error", runtimeId, error: `The runtime ${runtimeId} ended without saying so` };
  }
}
