import type { AgentRuntime, Clock, RunEvent, RunHandle, TurnInput } from "@banyan/plugin-sdk";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";
import { pauseOn } from "../world/pause-on.ts";
import { SECRET } from "../world/secret.ts";
import type { AgentMood } from "./agent-mood.ts";

const STEP_MS = 800;
/** Eight of them are too long for any answer. Most of it is blank, which the core leaves out: thousands of parts are slow. */
const FLOOD = "x".repeat(2_000) + " ".repeat(298_000);
const LABEL = /#m\d+/;

/** An agent that says which message it answers, in the mood that the message was written in. */
export function createSimRuntime(ground: Ground, guest: Guest, moodOf: (label: string) => AgentMood): AgentRuntime {
  return {
    id: "simulated",
    capabilities: {
      steer: "none",
      resume: false,
      fork: false,
      history: "core",
      tools: "direct",
      permissions: false,
      usage: false,
    },
    models: async () => [],
    open: async (_spec, host) => ({
      run: (input) => new SimRun(ground, guest, moodOf, host.clock, input),
      close: async () => undefined,
    }),
  };
}

class SimRun implements RunHandle {
  readonly events: AsyncIterable<RunEvent>;
  readonly #ground: Ground;
  readonly #clock: Clock;
  readonly #input: TurnInput;
  readonly #mood: AgentMood;
  readonly #label: string;
  readonly #aborted = new AbortController();

  constructor(ground: Ground, guest: Guest, moodOf: (label: string) => AgentMood, clock: Clock, input: TurnInput) {
    this.#ground = ground;
    this.#clock = clock;
    this.#input = input;
    [this.#label] = LABEL.exec(input.input[0]?.text ?? "") ?? ["?"];
    this.#mood = moodOf(this.#label);
    this.events = this.#play();
    const { turnId, attempt, committedCalls } = input;
    ground.trace.tell(() => `  agent takes ${this.#label} (${this.#mood}, attempt ${attempt})`);
    ground.observe({ type: "turn", process: guest, turnId, attempt, committedCalls });
  }

  async steer(): Promise<"returned"> {
    return "returned";
  }

  async abort(): Promise<void> {
    if (this.#mood === "deaf") await new Promise(() => undefined);
    this.#aborted.abort();
  }

  async *#play(): AsyncGenerator<RunEvent> {
    if (this.#mood === "throw") throw new Error(`the model broke while it held ${SECRET}`);
    if (this.#mood === "silent") return yield { type: "end", reason: "done" };
    await this.#think();
    for await (const delta of this.#speak()) {
      if (this.#aborted.signal.aborted) return yield { type: "end", reason: "stopped" };
      yield { type: "text", delta };
    }
    if (this.#mood === "mute") return;
    if (this.#aborted.signal.aborted) return yield { type: "end", reason: "stopped" };
    if (this.#mood === "error")
      return yield { type: "end", reason: "error", error: { isRetryable: true, message: `no key ${SECRET} taken` } };
    yield { type: "end", reason: "done" };
  }

  async *#speak(): AsyncGenerator<string> {
    yield `re ${this.#label} `;
    switch (this.#mood) {
      case "stream":
        for (const word of ["one", "two", "three"]) {
          await this.#think();
          yield `${word} `;
        }
        return;
      case "long":
        yield "The grove is old and wide. ".repeat(20);
        return;
      case "tool":
      case "tools":
        for (let ordinal = 0; ordinal < (this.#mood === "tool" ? 1 : 3); ordinal += 1) yield await this.#use(ordinal);
        return;
      case "hang":
      case "deaf":
        await this.#ground.untilHealed(this.#aborted.signal);
        return;
      case "secret":
        yield `my token is ${SECRET.slice(0, 9)}`;
        yield SECRET.slice(9);
        return;
      case "flood":
        for (let chunk = 0; chunk < 8; chunk += 1) yield FLOOD;
        return;
      default:
    }
  }

  async #use(ordinal: number): Promise<string> {
    await this.#think();
    const { text } = await this.#input.callTool({
      ordinal,
      name: "ask_the_owl",
      args: { ordinal, label: this.#label },
    });
    this.#ground.observe({ type: "tool", turnId: this.#input.turnId, ordinal, text });
    return `owl ${ordinal} `;
  }

  #think(): Promise<void> {
    return pauseOn(this.#clock, this.#ground.random.next() * STEP_MS, this.#aborted.signal);
  }
}
