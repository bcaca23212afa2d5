import type { Control } from "./control/control.ts";
import type { Fault } from "./faults/fault.ts";
import { EmulatorError } from "./ports/error.ts";

const PATIENCE_MS = 4000;

type Aim = Pick<Fault, "method" | "chatId" | "botId" | "times" | "skip">;

/** The faults a test injects; the first that matches a call meets it, in the order they were added. */
export class FaultControl {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  async add(fault: Fault): Promise<InjectedFault> {
    return new InjectedFault(this.#control, await this.#control.addFault(fault));
  }

  /** A gate: calls wait before their effect, or between effect and answer, until it is released. */
  async hold(aim: Aim & { readonly at?: "request" | "answer" } = {}): Promise<HeldGate> {
    return new HeldGate(this.#control, await this.#control.addFault({ at: "request", ...aim, kind: "hold" }));
  }

  /** No fault from now on; what a gate holds passes. */
  clear(): Promise<void> {
    return this.#control.clearFaults();
  }
}

export class InjectedFault {
  readonly #control: Control;
  readonly #id: number;

  constructor(control: Control, id: number) {
    this.#control = control;
    this.#id = id;
  }

  /** Resolves when `count` calls have met the fault and are over. */
  met(count: number = 1, timeoutMs: number = PATIENCE_MS): Promise<void> {
    return awaitMet(this.#control, this.#id, count, timeoutMs);
  }

  remove(): Promise<void> {
    return this.#control.removeFault({ id: this.#id, end: "pass" });
  }
}

export class HeldGate {
  readonly #control: Control;
  readonly #id: number;

  constructor(control: Control, id: number) {
    this.#control = control;
    this.#id = id;
  }

  /** Resolves when `count` calls stand at the gate. */
  reached(count: number = 1, timeoutMs: number = PATIENCE_MS): Promise<void> {
    return awaitMet(this.#control, this.#id, count, timeoutMs);
  }

  /** Lets all calls pass, those held and those to come. */
  release(): Promise<void> {
    return this.#control.removeFault({ id: this.#id, end: "pass" });
  }

  /** Destroys the connections held; calls to come pass. */
  cut(): Promise<void> {
    return this.#control.removeFault({ id: this.#id, end: "cut" });
  }
}

async function awaitMet(control: Control, id: number, count: number, timeoutMs: number): Promise<void> {
  const met = await control.awaitFault({ id, count, timeoutMs });
  if (met < count) {
    throw new EmulatorError(
      "not_reached",
      `waiting ${timeoutMs} ms for ${count} calls to meet fault ${id}: ${met} did`,
    );
  }
}
