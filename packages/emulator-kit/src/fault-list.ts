import type { Clock } from "./clock.ts";
import { Gate } from "./gate.ts";
import type { Signal } from "./signal.ts";

/** What the list itself looks at; which calls a fault meets its emulator says. */
export interface CountedFault {
  /** `hold`: a gate, which meets all calls until it is released. */
  readonly kind: string;
  /** How many calls it meets; 1 if left out. */
  readonly times?: number | "always";
  /** How many matching calls pass before it begins. */
  readonly skip?: number;
  /** Of `hold`: before the call's effect, or between effect and answer. */
  readonly at?: "request" | "answer";
  /** Of `delay`: how late the answer is. */
  readonly delayMs?: number;
}

/** A fault that was injected, and what it has done so far. */
export interface ActiveFault<Fault extends CountedFault> {
  readonly id: number;
  readonly fault: Fault;
  readonly gate: Gate;
  /** How many calls it has taken. */
  takenCount: number;
  /** Of those, how many are over: their connection cut or their answer written. */
  metCount: number;
  /** How many matching calls it has let pass before its beginning. */
  passedCount: number;
}

export interface FaultListOptions<Fault, Target> {
  readonly changed: Signal;
  readonly clock: Clock;
  /** Must not throw. */
  readonly matches: (fault: Fault, target: Target) => boolean;
  /** The error for an id that was never given. */
  readonly unknownFault: (id: number) => Error;
}

/** The injected faults in the order they were added; the first that matches a call meets it, and it alone. */
export class FaultList<Fault extends CountedFault, Target> {
  readonly #active = new Map<number, ActiveFault<Fault>>();
  readonly #spent = new Map<number, ActiveFault<Fault>>();
  readonly #options: FaultListOptions<Fault, Target>;
  #lastId = 0;

  constructor(options: FaultListOptions<Fault, Target>) {
    this.#options = options;
  }

  add(fault: Fault): number {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#active.set(id, { id, fault, gate: new Gate(), takenCount: 0, metCount: 0, passedCount: 0 });
    return id;
  }

  /** Uses up one time of the fault that meets the call. */
  take(target: Target): ActiveFault<Fault> | undefined {
    if (this.#active.size === 0) return undefined;
    for (const active of this.#active.values()) {
      if (!this.#options.matches(active.fault, target)) continue;
      if (active.passedCount < (active.fault.skip ?? 0)) {
        active.passedCount += 1;
        continue;
      }
      active.takenCount += 1;
      const times = active.fault.times ?? (active.fault.kind === "hold" ? "always" : 1);
      if (times !== "always" && active.takenCount >= times) this.#retire(active);
      return active;
    }
    return undefined;
  }

  /** Lets a taken call wait where its fault wants it to; resolves with whether the call goes on then. */
  async wait({ fault, gate }: ActiveFault<Fault>, at: "request" | "answer"): Promise<"pass" | "cut"> {
    const { kind, delayMs = 0 } = fault;
    if (kind === "delay" && at === "answer")
      await new Promise<void>((resolve) => {
        this.#options.clock.schedule(delayMs, resolve);
      });
    if (kind !== "hold" || fault.at !== at) return "pass";
    const held = gate.hold();
    this.#options.changed.fire();
    return held;
  }

  /** To be called when a taken call is over. */
  announceMet(active: ActiveFault<Fault>): void {
    active.metCount += 1;
    this.#options.changed.fire();
  }

  /** Resolves with the number of calls met (for a gate: held), when it has reached `count` or after `timeoutMs`. */
  async awaitMet(id: number, count: number, timeoutMs: number): Promise<number> {
    const active = this.#get(id);
    const isReached = (): boolean =>
      active.fault.kind === "hold" ? active.gate.heldCount >= count : active.metCount >= count;
    await this.#options.changed.until(isReached, timeoutMs);
    return active.fault.kind === "hold" ? active.gate.heldCount : active.metCount;
  }

  /** Meets no further call; what a gate holds passes or is cut. */
  remove(id: number, end: "pass" | "cut"): void {
    const active = this.#get(id);
    this.#retire(active);
    active.gate.open(end);
  }

  clear(): void {
    for (const id of [...this.#active.keys(), ...this.#spent.keys()]) this.remove(id, "pass");
  }

  #retire(active: ActiveFault<Fault>): void {
    this.#active.delete(active.id);
    this.#spent.set(active.id, active);
  }

  #get(id: number): ActiveFault<Fault> {
    const active = this.#active.get(id) ?? this.#spent.get(id);
    if (active === undefined) throw this.#options.unknownFault(id);
    return active;
  }
}
