import type { AgentRuntime, Clock, RunEvent, RunHandle, TurnInput } from "@banyan/plugin-sdk";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";
import { pauseOn } from "../world/pause-on.ts";
import { SECRET } from "../world/secret.ts";
import { type Errand, findErrand, LABEL, labelWake } from "./errand.ts";

const STEP_MS = 800;
/** More than the faults of a world last. */
const WALK_CALLS = 80;
const CHILD = /agent:\w+:subagent:[-0-9a-f]+/;
/** Eight of them are too long for any answer. Most of it is blank, which the core leaves out: thousands of parts are slow. */
const FLOOD = "x".repeat(2_000) + " ".repeat(298_000);

/** What is to be done about the message of this label, and all that comes of it. */
type ErrandOf = (label: string) => Errand | undefined;

/** An agent that says which message it answers, in the mood that the message was written in. */
export function createSimRuntime(ground: Ground, guest: Guest, errandOf: ErrandOf): AgentRuntime {
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
    open: async ({ sessionKey, tools }, host) => {
      ground.observe({ type: "opened", sessionKey, tools: tools.map(({ name }) => name) });
      return {
        run: (input) => new SimRun(ground, guest, errandOf, host.clock, input),
        close: async () => undefined,
      };
    },
  };
}

class SimRun implements RunHandle {
  readonly events: AsyncIterable<RunEvent>;
  readonly #ground: Ground;
  readonly #guest: Guest;
  readonly #clock: Clock;
  readonly #input: TurnInput;
  readonly #errand: Errand;
  /** Of the message or task; of the end of a task, that of the task. */
  readonly #label: string;
  /** Under which it asks others. */
  readonly #place: string;
  readonly #aborted = new AbortController();

  #calls = 0;
  /** The first that it has asked. */
  #child = "agent:main:subagent:none";

  constructor(ground: Ground, guest: Guest, errandOf: ErrandOf, clock: Clock, input: TurnInput) {
    this.#ground = ground;
    this.#guest = guest;
    this.#clock = clock;
    this.#input = input;
    const [first] = input.input;
    [this.#label] = LABEL.exec(first?.completion?.task ?? first?.text ?? "") ?? ["?"];
    this.#place = first?.kind === "completion" ? labelWake(this.#label) : this.#label;
    const [root = ""] = this.#label.split("/");
    this.#errand = findErrand(errandOf(root), this.#place);
    this.events = this.#play();
    const { turnId, attempt, committedCalls } = input;
    ground.trace.tell(
      () =>
        `  agent takes ${input.input.length > 1 ? `${input.input.length} of ` : ""}${this.#place} (${this.#errand.mood}, attempt ${attempt})`,
    );
    ground.observe({ type: "turn", process: guest, turnId, mood: this.#errand.mood, attempt, committedCalls });
  }

  async steer(): Promise<"returned"> {
    return "returned";
  }

  async abort(): Promise<void> {
    if (this.#errand.mood === "deaf") await new Promise(() => undefined);
    this.#aborted.abort();
  }

  async *#play(): AsyncGenerator<RunEvent> {
    if (this.#errand.mood === "throw") throw new Error(`the model broke while it held ${SECRET}`);
    if (this.#errand.mood === "silent") return yield { type: "end", reason: "done" };
    await this.#think();
    if (this.#errand.mood === "poison" && !this.#aborted.signal.aborted) return this.#endProcess();
    for (const [at, child] of (this.#errand.children ?? []).entries()) {
      if (this.#aborted.signal.aborted) return yield { type: "end", reason: "stopped" };
      await this.#call("sessions_spawn", { task: `errand ${this.#place}/${at}`, ...child.terms });
    }
    for await (const delta of this.#speak()) {
      if (this.#aborted.signal.aborted) return yield { type: "end", reason: "stopped" };
      yield { type: "text", delta };
    }
    if (this.#errand.mood === "mute") return;
    if (this.#aborted.signal.aborted) return yield { type: "end", reason: "stopped" };
    if (this.#errand.mood === "error")
      return yield { type: "end", reason: "error", error: { isRetryable: true, message: `no key ${SECRET} taken` } };
    yield { type: "end", reason: "done" };
  }

  /** A process that is suspended or replaced has no effect by its end. */
  async #endProcess(): Promise<void> {
    this.#ground.observe({ type: "poisoned", process: this.#guest, turnId: this.#input.turnId });
    this.#guest.die();
    await new Promise(() => undefined);
  }

  async *#speak(): AsyncGenerator<string> {
    if (this.#errand.mood === "no_reply") return yield "NO_REPLY";
    if (this.#errand.mood === "skip") return yield "ANNOUNCE_SKIP";
    yield `re ${this.#label} `;
    switch (this.#errand.mood) {
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
        for (let ordinal = 0; ordinal < (this.#errand.mood === "tool" ? 1 : 3); ordinal += 1)
          yield await this.#ask(ordinal);
        return;
      case "walk":
        this.#calls = this.#input.committedCalls.length;
        while (this.#calls < WALK_CALLS && !this.#aborted.signal.aborted) await this.#step(this.#calls);
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
      case "yield":
        return this.#call("sessions_yield", {});
      case "send":
      case "wait":
      case "kill":
        return this.#turnTo(this.#errand.mood);
      default:
    }
  }

  /** To the first sub-agent; where it has none, nobody is there. */
  async #turnTo(deed: "send" | "wait" | "kill"): Promise<void> {
    await this.#think();
    if (deed === "send") {
      const message = `errand ${this.#place}/99`;
      await this.#call("sessions_send", { sessionKey: this.#child, message, timeoutSeconds: 2 });
    } else if (deed === "wait") await this.#call("subagents", { action: "wait", target: "1", timeoutSeconds: 3 });
    else await this.#call("subagents", { action: "kill", target: "1" });
  }

  /** A result every few moments, so that there is progress between two kills. */
  async #step(ordinal: number): Promise<void> {
    await pauseOn(this.#clock, STEP_MS, this.#aborted.signal);
    if (!this.#aborted.signal.aborted) await this.#call("ask_the_owl", { ordinal, label: this.#label });
  }

  async #ask(question: number): Promise<string> {
    await this.#think();
    await this.#call("ask_the_owl", { ordinal: question, label: this.#label });
    return `owl ${question} `;
  }

  async #call(name: string, args: object): Promise<void> {
    const ordinal = this.#calls;
    this.#calls += 1;
    const { text } = await this.#input.callTool({ ordinal, name, args });
    if (name === "sessions_spawn") [this.#child = this.#child] = CHILD.exec(text) ?? [];
    this.#ground.trace.tell(() => `  ${this.#place} is answered by ${name}: ${text}`);
    this.#ground.observe({ type: "tool", turnId: this.#input.turnId, ordinal, text });
  }

  #think(): Promise<void> {
    return pauseOn(this.#clock, this.#ground.random.next() * STEP_MS, this.#aborted.signal);
  }
}
