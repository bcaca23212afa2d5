import { type FaultPort, HeldGate, InjectedFault } from "@banyan/emulator-kit";
import type { Control } from "./control/operation.ts";
import { addFault, awaitFault, clearFaults, removeFault } from "./control/record-operations.ts";
import type { Fault, FaultAim } from "./faults/fault.ts";
import { EmulatorError } from "./ports/error.ts";

/** The faults a test injects; the first that matches a call meets it, in the order they were added. */
export class FaultControl {
  readonly #control: Control;
  readonly #port: FaultPort;

  constructor(control: Control) {
    this.#control = control;
    this.#port = {
      remove: (removal) => control.call(removeFault, removal),
      awaitMet: (wait) => control.call(awaitFault, wait),
      failReach: (text) => new EmulatorError("not_reached", text),
    };
  }

  async add(fault: Fault): Promise<InjectedFault> {
    return new InjectedFault(this.#port, await this.#control.call(addFault, fault));
  }

  /** A gate: calls wait before their effect, or between effect and answer, until it is released. */
  async hold(aim: FaultAim & { readonly at?: "request" | "answer" } = {}): Promise<HeldGate> {
    return new HeldGate(this.#port, await this.#control.call(addFault, { at: "request", ...aim, kind: "hold" }));
  }

  /** No fault from now on; what a gate holds passes. */
  clear(): Promise<void> {
    return this.#control.call(clearFaults, {});
  }
}
