import { type FaultPort, HeldGate, InjectedFault } from "@banyan/emulator-kit";
import type { Control } from "./control/control.ts";
import type { Fault } from "./faults/fault.ts";
import { EmulatorError } from "./ports/error.ts";

type Aim = Pick<Fault, "method" | "chatId" | "botId" | "times" | "skip">;

/** The faults a test injects; the first that matches a call meets it, in the order they were added. */
export class FaultControl {
  readonly #control: Control;
  readonly #port: FaultPort;

  constructor(control: Control) {
    this.#control = control;
    this.#port = {
      remove: (removal) => control.removeFault(removal),
      awaitMet: (wait) => control.awaitFault(wait),
      failReach: (text) => new EmulatorError("not_reached", text),
    };
  }

  async add(fault: Fault): Promise<InjectedFault> {
    return new InjectedFault(this.#port, await this.#control.addFault(fault));
  }

  /** A gate: calls wait before their effect, or between effect and answer, until it is released. */
  async hold(aim: Aim & { readonly at?: "request" | "answer" } = {}): Promise<HeldGate> {
    return new HeldGate(this.#port, await this.#control.addFault({ at: "request", ...aim, kind: "hold" }));
  }

  /** No fault from now on; what a gate holds passes. */
  clear(): Promise<void> {
    return this.#control.clearFaults();
  }
}
