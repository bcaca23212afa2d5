import { isSuspect, type Store } from "@banyan/store";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import { isChildLane } from "./child-places.ts";
import type { LaneClaim } from "./lane-claim.ts";

/** A suspect that has run this long no longer blocks the next one, though a crash still counts against it. */
const SUSPECT_LIMIT_MS = 60_000;
/** The store refused a suspect because of another one that is not known here yet. */
const RETRY_MS = 1_000;

interface RunningSuspect {
  readonly claim: LaneClaim;
  /** Cancels its time limit. */
  readonly cancel: () => void;
  isLong: boolean;
}

export interface SuspectSlotParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** The lane may be claimed again. */
  wake(lane: string): void;
}

/**
 * Turns of suspects: one at a time, concurrently with all other turns. The store refuses a second one; here their lanes
 * wait, without a place among the running ones. A suspect that waits for a child or a person leaves the slot for good,
 * so a suspect parent never blocks its suspect child.
 */
export class SuspectSlot {
  readonly #parts: SuspectSlotParts;
  /** Running suspects by lane. */
  readonly #running = new Map<string, RunningSuspect>();
  readonly #waiting = new Set<string>();
  /** Woken, and not claimed yet. */
  readonly #called = new Set<string>();
  /** The lane that is being claimed next to long-running suspects. */
  #beside: string | undefined;

  constructor(parts: SuspectSlotParts) {
    this.#parts = parts;
  }

  get waiting(): Iterable<string> {
    return this.#waiting;
  }

  isWaiting(lane: string): boolean {
    return this.#waiting.has(lane);
  }

  isRunning(lane: string): boolean {
    return this.#running.has(lane);
  }

  /** Whether the next claim of the lane may take a suspect although others are active. Allows one lane at a time. */
  mayJoin(lane: string): boolean {
    if (this.#running.size === 0 || !this.#isFree || (this.#beside ?? lane) !== lane) return false;
    this.#beside = lane;
    return true;
  }

  /** The store refused the lane's item as a suspect. */
  refuse(lane: string): void {
    this.#called.delete(lane);
    this.#waiting.add(lane);
    if (this.#isFree) this.#parts.ports.clock.schedule(RETRY_MS, () => this.#callNext());
  }

  /** Called when the lane was claimed, or there was nothing to claim: it no longer waits for the slot. */
  settle(lane: string, claim: LaneClaim | undefined): void {
    if (this.#beside === lane) this.#beside = undefined;
    if (claim !== undefined && isSuspect(claim.item)) {
      const cancel = this.#parts.ports.clock.schedule(SUSPECT_LIMIT_MS, () => {
        running.isLong = true;
        this.#callNext();
      });
      const running: RunningSuspect = { claim, cancel, isLong: false };
      this.#running.set(lane, running);
    }
    const wasWaiting = this.#waiting.delete(lane);
    if (this.#called.delete(lane) || wasWaiting) this.#callNext();
  }

  /** The turn of the lane has ended or made progress. */
  leave(lane: string, epoch?: number): void {
    const found = this.#running.get(lane);
    if (found === undefined || (epoch !== undefined && found.claim.epoch !== epoch)) return;
    this.#running.delete(lane);
    found.cancel();
    this.#callNext();
  }

  /** Stores that the running turn is no longer a suspect, then frees the slot. Never rejects. */
  async clear(lane: string): Promise<void> {
    const found = this.#running.get(lane);
    if (found === undefined) return;
    const { store, ports, signal } = this.#parts;
    const { epoch } = found.claim;
    try {
      await commitPatiently(store, { step: "suspicion", lane, epoch, isCleared: true }, ports, signal);
      this.leave(lane, epoch);
    } catch (error) {
      ports.log.warn({ err: error, lane }, "a suspect turn runs alone until it ends");
    }
  }

  close(): void {
    this.#waiting.clear();
    for (const { cancel } of this.#running.values()) cancel();
  }

  get #isFree(): boolean {
    return [...this.#running.values()].every(({ isLong }) => isLong);
  }

  /** Wakes one lane of each kind: one kind may have free places when the other has none. */
  #callNext(): void {
    if (!this.#isFree) return;
    for (const isChild of [false, true]) {
      if ([...this.#called].some((lane) => isChildLane(lane) === isChild)) continue;
      for (const lane of this.#waiting) {
        if (isChildLane(lane) !== isChild) continue;
        this.#waiting.delete(lane);
        this.#called.add(lane);
        this.#parts.wake(lane);
        break;
      }
    }
  }
}
