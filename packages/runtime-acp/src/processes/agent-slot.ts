import type { RuntimeHost } from "@banyan/plugin-sdk";
import { decideBackoffMs, pause } from "@banyan/plugin-sdk/kit";
import { type AgentProcess, type AgentStart, startAgent } from "./agent-process.ts";

/** An agent that nobody talks with for so long is ended; the next turn starts it again. */
const IDLE_LIMIT_MS = 5 * 60_000;
const RESTART_BACKOFF = { firstMs: 1_000, limitMs: 60_000 };
/** A turn waits so long for the next start; beyond it, it is told to come again. */
const LONGEST_WAIT_MS = 8_000;

/** The one process of an agent under one profile: started when it is needed, ended when it is idle, replaced when it dies. */
export class AgentSlot {
  readonly #start: AgentStart;
  readonly #random: () => number;
  #current: Promise<AgentProcess> | undefined;
  /** The same once it is up. */
  #standing: AgentProcess | undefined;
  readonly #seats = new Map<AgentProcess, number>();
  /** Deaths and failed starts in a row. */
  #failures = 0;
  #mayStartAtMs = 0;
  #cancelIdle: (() => void) | undefined;
  #isClosed = false;

  constructor(start: AgentStart, random: () => number) {
    this.#start = start;
    this.#random = random;
  }

  /** Takes a seat at the process, which is started where there is none. `leave` must follow. */
  async sit(host: RuntimeHost, signal: AbortSignal): Promise<AgentProcess> {
    await this.#awaitTurn(host, signal);
    signal.throwIfAborted();
    this.#cancelIdle?.();
    if (this.#isClosed)
      throw new Error(`The agent ${this.#start.plan.name} was started: the gateway stops; start it again`);
    this.#current ??= this.#open(host);
    const agent = await this.#current;
    this.#seats.set(agent, (this.#seats.get(agent) ?? 0) + 1);
    return agent;
  }

  async leave(agent: AgentProcess, { clock }: RuntimeHost): Promise<void> {
    const seats = (this.#seats.get(agent) ?? 1) - 1;
    // Nothing is kept of one that died under somebody's hands.
    if (agent.isGone) return void this.#seats.delete(agent);
    this.#seats.set(agent, seats);
    if (seats > 0) return;
    // One that was given up is in nobody's way any more.
    if (this.#standing !== agent) return agent.stop();
    this.#cancelIdle?.();
    this.#cancelIdle = clock.schedule(IDLE_LIMIT_MS, () => {
      if ((this.#seats.get(agent) ?? 0) > 0) return;
      this.giveUp(agent);
      void agent.stop();
    });
  }

  /** It has done its work: what was before does not count any more. */
  praise(): void {
    this.#failures = 0;
  }

  /** The next session gets a new process; this one ends when nobody sits at it. */
  giveUp(agent: AgentProcess): void {
    if (this.#standing !== agent) return;
    this.#standing = undefined;
    this.#current = undefined;
  }

  /** Those at work, and those that were given up and are still left. */
  get agents(): readonly AgentProcess[] {
    return [...this.#seats.keys()];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelIdle?.();
    const opening = this.#current;
    if (opening !== undefined) await Promise.allSettled([opening]);
    await Promise.all([...this.#seats.keys()].map((agent) => agent.stop()));
  }

  /** For the end of this process, where nothing can be waited for. */
  kill(): void {
    for (const agent of this.#seats.keys()) agent.kill();
  }

  async #awaitTurn({ clock }: RuntimeHost, signal: AbortSignal): Promise<void> {
    const waitMs = this.#current === undefined ? this.#mayStartAtMs - clock.monotonic() : 0;
    if (waitMs <= 0) return;
    if (waitMs > LONGEST_WAIT_MS) {
      throw new Error(
        `The agent ${this.#start.plan.name} was started: it has failed ${this.#failures} times in a row; it is tried again in ${Math.ceil(waitMs / 1_000)} s`,
      );
    }
    await pause(clock, waitMs, signal);
  }

  #open(host: RuntimeHost): Promise<AgentProcess> {
    const opening = startAgent(this.#start, host);
    opening.then(
      (agent) => {
        this.#standing = agent;
        this.#seats.set(agent, this.#seats.get(agent) ?? 0);
        void agent.gone.then(() => {
          // One that was asked to end has not failed.
          if (this.#standing === agent) this.#countFailure(host);
          this.giveUp(agent);
          this.#seats.delete(agent);
        });
      },
      () => {
        this.#countFailure(host);
        this.#current = undefined;
      },
    );
    return opening;
  }

  /** The first is free: a blip is over with the next turn. */
  #countFailure({ clock }: RuntimeHost): void {
    this.#failures += 1;
    const waitMs = this.#failures === 1 ? 0 : decideBackoffMs(this.#failures - 2, this.#random(), RESTART_BACKOFF);
    this.#mayStartAtMs = clock.monotonic() + waitMs;
  }
}
