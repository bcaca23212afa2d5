import { PATIENCE_MS } from "./patience.ts";

/** What can be done with a fault that was injected, in its emulator's process or over the control interface. */
export interface FaultPort {
  remove(removal: { readonly id: number; readonly end: "pass" | "cut" }): Promise<void>;
  /** Resolves with how many calls have met the fault, when it has reached `count` or after `timeoutMs`. */
  awaitMet(wait: { readonly id: number; readonly count: number; readonly timeoutMs: number }): Promise<number>;
  /** The error where too few have. */
  readonly failReach: (text: string) => Error;
}

export class InjectedFault {
  readonly #port: FaultPort;
  readonly #id: number;

  constructor(port: FaultPort, id: number) {
    this.#port = port;
    this.#id = id;
  }

  /** Resolves when `count` calls have met the fault and are over. */
  met(count: number = 1, timeoutMs: number = PATIENCE_MS): Promise<void> {
    return awaitMet(this.#port, { id: this.#id, count, timeoutMs });
  }

  remove(): Promise<void> {
    return this.#port.remove({ id: this.#id, end: "pass" });
  }
}

export class HeldGate {
  readonly #port: FaultPort;
  readonly #id: number;

  constructor(port: FaultPort, id: number) {
    this.#port = port;
    this.#id = id;
  }

  /** Resolves when `count` calls stand at the gate. */
  reached(count: number = 1, timeoutMs: number = PATIENCE_MS): Promise<void> {
    return awaitMet(this.#port, { id: this.#id, count, timeoutMs });
  }

  /** Lets all calls pass, those held and those to come. */
  release(): Promise<void> {
    return this.#port.remove({ id: this.#id, end: "pass" });
  }

  /** Destroys the connections held; calls to come pass. */
  cut(): Promise<void> {
    return this.#port.remove({ id: this.#id, end: "cut" });
  }
}

async function awaitMet(port: FaultPort, wait: Parameters<FaultPort["awaitMet"]>[0]): Promise<void> {
  const { id, count, timeoutMs } = wait;
  const met = await port.awaitMet(wait);
  if (met < count) throw port.failReach(`waiting ${timeoutMs} ms for ${count} calls to meet fault ${id}: ${met} did`);
}
