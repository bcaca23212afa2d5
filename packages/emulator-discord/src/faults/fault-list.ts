import { EmulatorError } from "../ports/error.ts";
import type { Signal } from "../ports/signal.ts";
import type { Fault } from "./fault.ts";
import { Gate } from "./gate.ts";

/** A fault that was injected, and what it has done so far. */
export interface ActiveFault {
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

export interface FaultTarget {
  /** The route's template. */
  readonly route: string;
  readonly botId: string | undefined;
  readonly channelId: string | undefined;
}

/** The injected faults in the order they were added; the first that matches a call meets it, and it alone. */
export class FaultList {
  readonly #active = new Map<number, ActiveFault>();
  readonly #spent = new Map<number, ActiveFault>();
  readonly #changed: Signal;
  #lastId = 0;

  constructor(changed: Signal) {
    this.#changed = changed;
  }

  add(fault: Fault): number {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#active.set(id, { id, fault, gate: new Gate(), takenCount: 0, metCount: 0, passedCount: 0 });
    return id;
  }

  /** Uses up one time of the fault that meets the call. */
  take(target: FaultTarget): ActiveFault | undefined {
    if (this.#active.size === 0) return undefined;
    for (const active of this.#active.values()) {
      if (!matches(active.fault, target)) continue;
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

  /** To be called when a taken call stands at the fault's gate. */
  announceHeld(): void {
    this.#changed.fire();
  }

  /** To be called when a taken call is over. */
  announceMet(active: ActiveFault): void {
    active.metCount += 1;
    this.#changed.fire();
  }

  /** Resolves with the number of calls met (for a gate: held), when it has reached `count` or after `timeoutMs`. */
  async awaitMet(id: number, count: number, timeoutMs: number): Promise<number> {
    const active = this.#get(id);
    const isReached = (): boolean =>
      active.fault.kind === "hold" ? active.gate.heldCount >= count : active.metCount >= count;
    await this.#changed.until(isReached, timeoutMs);
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

  #retire(active: ActiveFault): void {
    this.#active.delete(active.id);
    this.#spent.set(active.id, active);
  }

  #get(id: number): ActiveFault {
    const active = this.#active.get(id) ?? this.#spent.get(id);
    if (active === undefined) throw new EmulatorError("unknown_fault", `finding fault ${id}: it was never added`);
    return active;
  }
}

function matches({ route, botId, channelId }: Fault, target: FaultTarget): boolean {
  return (
    (route === undefined || formatRoute(route) === formatRoute(target.route)) &&
    (botId === undefined || botId === target.botId) &&
    (channelId === undefined || channelId === target.channelId)
  );
}

/** A template by which names it has, so that `:channel` and `:id` are the same. */
export function formatRoute(template: string): string {
  return template.replaceAll(/:\w+/g, ":");
}
