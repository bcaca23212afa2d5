import type { Control } from "./control/operation.ts";
import { addFault, awaitFault, clearFaults, removeFault } from "./control/record-operations.ts";
import type { Fault, FaultAim } from "./faults/fault.ts";
import { EmulatorError } from "./ports/error.ts";

const PATIENCE_MS = 4000;

/** The faults a test injects; the first that matches a call meets it, in the order they were added. */
export class FaultControl {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  async add(fault: Fault): Promise<InjectedFault> {
    return new InjectedFault(this.#control, await this.#control.call(addFault, fault));
  }

  /** A gate: calls wait before their effect, or between effect and answer, until it is released. */
  async hold(aim: FaultAim & { readonly at?: "request" | "answer" } = {}): Promise<HeldGate> {
    return new HeldGate(this.#control, await this.#control.call(addFault, { at: "request", ...aim, kind: "hold" }));
  }

  /** No fault from now on; what a gate holds passes. */
  clear(): Promise<void> {
    return this.#control.call(clearFaults, {});
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
    return awaitMet(this.#control, { id: this.#id, count, timeoutMs });
  }

  remove(): Promise<void> {
    return this.#control.call(removeFault, { id: this.#id, end: "pass" });
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
    return awaitMet(this.#control, { id: this.#id, count, timeoutMs });
  }

  /** Lets all calls pass, those held and those to come. */
  release(): Promise<void> {
    return this.#control.call(removeFault, { id: this.#id, end: "pass" });
  }

  /** Destroys the connections held; calls to come pass. */
  cut(): Promise<void> {
    return this.#control.call(removeFault, { id: this.#id, end: "cut" });
  }
}

interface Wait {
  readonly id: number;
  readonly count: number;
  readonly timeoutMs: number;
}

async function awaitMet(control: Control, { id, count, timeoutMs }: Wait): Promise<void> {
  const met = await control.call(awaitFault, { id, count, timeoutMs });
  if (met >= count) return;
  const text = `waiting ${timeoutMs} ms for ${count} calls to meet fault ${id}: ${met} did`;
  throw new EmulatorError("not_reached", text);
}
