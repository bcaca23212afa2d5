import type { StepResults, Store } from "@banyan/plugin-sdk/store";
import { commitPatiently, commitUntilKnown } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import { type ChildPlace, ChildPlaces, isChildLane } from "./child-places.ts";
import type { LaneClaim } from "./lane-claim.ts";
import { LaneWaits } from "./lane-waits.ts";
import { SuspectSlot } from "./suspect-slot.ts";

/** Turns under way at once. Beyond it lanes wait in the order they became ready, so that none is passed over. */
const DEFAULT_RUNNING_LANES = 1_000;
/** Turns of sub-agents, beside these: people never wait for them, nor those that wait for their own children. */
const DEFAULT_RUNNING_CHILDREN = 8;
const PAGE_LANES = 1_000;
/** A lane whose claim failed, such as on a full disk, is tried again after this. */
const RETRY_MS = 30_000;
/** Above the attempts after which a turn is set aside: setting aside itself fails, so the lane is left as it is. */
const MOST_HOST_FAILURES = 6;

export interface LaneSchedulerParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  readonly mostRunning?: number | undefined;
  readonly mostChildren?: number | undefined;
  /** Runs one claimed turn to its commit; resolves with the number of items left in the lane. */
  runTurn(claim: LaneClaim): Promise<number>;
  findRevision(lane: string): number | undefined;
  /** Something waits in a lane that runs here. */
  offer?(lane: string): void;
  /** For how long nothing begins in the lane, because more may come. */
  measureQuietMs?(lane: string): number;
  /** The item that is to be taken of several that wait; `undefined`: the first. `isResumed`: they did so at the start. */
  choose?(lane: string, isResumed: boolean): Promise<number | undefined> | undefined;
  /** Ends the waiting for a store that is full. */
  readonly signal: AbortSignal;
}

/** Runs lanes: at most one turn of each at a time, as many lanes beside each other as there is room for. */
export class LaneScheduler {
  readonly #parts: LaneSchedulerParts;
  /** Turns by lane. For a moment there are two: one has freed its lane in the store, the next one holds it already. */
  readonly #running = new Map<string, number>();
  readonly #ready = new Set<string>();
  /** Found waiting at the start, and not claimed since. */
  readonly #resumed = new Set<string>();
  /** Lanes of sub-agents that are ready, apart: they wait for places of their own. */
  readonly #readyChildren = new Set<string>();
  /** Lanes in which more may be said before the next turn. */
  readonly #resting = new Set<string>();
  readonly #children: ChildPlaces;
  /** What the last turn of a lane has left there, as long as nothing else has happened in it. */
  readonly #left = new Map<string, number>();
  /** By lane, of the turns that have one. */
  readonly #places = new Map<string, ChildPlace>();
  readonly #waits = new LaneWaits();
  readonly #suspects: SuspectSlot;
  /** Lanes that run and are no sub-agent's. */
  #others = 0;
  readonly #whenIdle: (() => void)[] = [];
  #isClosed = false;

  constructor(parts: LaneSchedulerParts) {
    this.#parts = parts;
    this.#children = new ChildPlaces(parts.mostChildren ?? DEFAULT_RUNNING_CHILDREN, () => this.#pump());
    const { store, ports, signal } = parts;
    this.#suspects = new SuspectSlot({ store, ports, signal, wake: (lane) => this.wake(lane) });
  }

  get #most(): number {
    return this.#parts.mostRunning ?? DEFAULT_RUNNING_LANES;
  }

  /** Whether a receive may claim at once. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#ready.size === 0 && this.#others < this.#most;
  }

  /** Lanes that run or wait here. */
  get size(): number {
    const ready = [...this.#ready, ...this.#readyChildren, ...this.#suspects.waiting];
    return new Set([...this.#running.keys(), ...ready, ...this.#resting]).size;
  }

  /** Whether the lane runs or waits here. */
  has(lane: string): boolean {
    const isHere = this.#running.has(lane) || this.#resting.has(lane) || this.#readyOf(lane).has(lane);
    return isHere || this.#suspects.isWaiting(lane);
  }

  /** A lane was claimed for this process: its turn begins, or is given back when that came too late. */
  begin({ lane, ...claim }: LaneClaim): void {
    this.#left.delete(lane);
    const isResumed = this.#resumed.delete(lane);
    const known = { lane, ...claim, isResumed };
    void this.#run(lane, () => (this.#isClosed ? this.#giveBack(known) : this.#runClaim(known)));
  }

  /** A lane may have something to do. */
  wake(lane: string): void {
    if (this.#running.has(lane) || this.#resting.has(lane)) this.#parts.offer?.(lane);
    // More may wait now than was counted.
    this.#left.delete(lane);
    if (this.#resting.has(lane)) return;
    this.#readyOf(lane).add(lane);
    this.#pump();
  }

  /** Nothing is claimed there by what comes in: more may be said. */
  isResting(lane: string): boolean {
    return this.#resting.has(lane);
  }

  #endRest(lane: string): void {
    this.#resting.delete(lane);
    if (this.#isClosed) return;
    this.#readyOf(lane).add(lane);
    this.#pump();
  }

  /**
   * A turn of the lane waits for something; the place it had as a sub-agent's is free until then, and a suspect leaves its
   * slot for good.
   */
  async rest<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#suspects.isRunning(lane)) await this.#suspects.clear(lane);
    return this.#waits.during(lane, () => this.#places.get(lane)?.rest(work) ?? work());
  }

  /** A turn of the lane has committed a step: it is no suspect any more. */
  noteProgress(lane: string): void {
    this.#suspects.leave(lane);
  }

  /** Whether a turn of the lane waits so just now. */
  isWaiting(lane: string): boolean {
    return this.#waits.has(lane);
  }

  /** Takes up every lane that waits in the store. */
  async resume(): Promise<void> {
    for (let afterSeq = 0; ; ) {
      const page = await this.#parts.store.read.readyLanes({ afterSeq, limit: PAGE_LANES });
      for (const { lane, firstSeq } of page) {
        afterSeq = firstSeq;
        this.#readyOf(lane).add(lane);
        this.#resumed.add(lane);
      }
      if (page.length < PAGE_LANES) break;
    }
    this.#pump();
  }

  /** Begins nothing new; resolves when no turn is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#suspects.close();
    this.#ready.clear();
    this.#readyChildren.clear();
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #readyOf(lane: string): Set<string> {
    return isChildLane(lane) ? this.#readyChildren : this.#ready;
  }

  #pump(): void {
    this.#start(this.#ready, () => this.#others < this.#most);
    this.#start(this.#readyChildren, () => this.#children.isFree);
  }

  #start(ready: Set<string>, hasPlace: () => boolean): void {
    for (const lane of ready) {
      if (this.#isClosed || !hasPlace()) return;
      if (this.#running.has(lane)) continue;
      ready.delete(lane);
      const quietMs = this.#parts.measureQuietMs?.(lane) ?? 0;
      if (quietMs > 0) {
        this.#resting.add(lane);
        this.#parts.ports.clock.schedule(quietMs, () => this.#endRest(lane));
        continue;
      }
      void this.#run(lane, () => this.#claimAndRun(lane));
    }
  }

  async #run(lane: string, turn: () => Promise<number>): Promise<void> {
    const { clock, log } = this.#parts.ports;
    const already = this.#running.get(lane) ?? 0;
    this.#running.set(lane, already + 1);
    const place = isChildLane(lane) ? this.#children.take() : undefined;
    if (place !== undefined) this.#places.set(lane, place);
    else if (already === 0) this.#others += 1;
    try {
      const left = await turn();
      if (left > 0) {
        // Where the next turn is here already it has taken one of them.
        if (this.#running.get(lane) === 1) this.#left.set(lane, left);
        this.#readyOf(lane).add(lane);
      }
    } catch (error) {
      log.error({ err: error, lane, retryInMs: RETRY_MS }, "a lane makes no progress");
      clock.schedule(RETRY_MS, () => this.wake(lane));
    }
    const others = (this.#running.get(lane) ?? 1) - 1;
    if (others > 0) this.#running.set(lane, others);
    else {
      this.#running.delete(lane);
      if (place === undefined) this.#others -= 1;
    }
    if (this.#places.get(lane) === place) this.#places.delete(lane);
    place?.leave();
    this.#pump();
    if (this.#running.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  async #claim(lane: string): Promise<StepResults["claim"]> {
    const { store, ports, owner, findRevision, signal } = this.#parts;
    const knownRevision = findRevision(lane);
    const choosing = (this.#left.get(lane) ?? 2) > 1 ? this.#parts.choose?.(lane, this.#resumed.has(lane)) : undefined;
    // Nothing is waited for where there is no choice.
    const itemSeq = choosing === undefined ? undefined : await choosing;
    const known = {
      ...(knownRevision === undefined ? {} : { knownRevision }),
      ...(itemSeq === undefined ? {} : { itemSeq }),
      ...(this.#suspects.mayJoin(lane) ? { isBesideSuspects: true as const } : {}),
    };
    ports.faultPoint("T2.before");
    const step = { step: "claim", lane, owner, claimId: ports.createId(), ...known } as const;
    // A claim that was written unseen would hold the lane until the next start.
    const claimed = await commitUntilKnown(store, step, ports, signal);
    ports.faultPoint("T2.after");
    return claimed;
  }

  async #claimAndRun(lane: string): Promise<number> {
    const claimed = await this.#claim(lane);
    if (claimed.status === "refused" && claimed.reason === "suspect") {
      this.#suspects.refuse(lane);
      return 0;
    }
    if (claimed.status === "refused") this.#suspects.settle(lane, undefined);
    const isResumed = this.#resumed.delete(lane);
    const left = this.#left.get(lane);
    this.#left.delete(lane);
    const counted = left === undefined ? {} : { waiting: left - 1 };
    return claimed.status === "done" ? this.#runClaim({ ...claimed.claim, isResumed, ...counted }) : 0;
  }

  async #giveBack(claim: LaneClaim): Promise<number> {
    await this.#release(claim, true);
    return 0;
  }

  /** Until the store takes it: a lane that is not given back stands still until the next start. */
  async #release({ lane, epoch }: LaneClaim, giveBackAttempt: boolean): Promise<boolean> {
    const { store, ports, signal } = this.#parts;
    const released = await commitPatiently(store, { step: "release", lane, epoch, giveBackAttempt }, ports, signal);
    return released.status === "done";
  }

  /** A turn that fails in the host itself is given back, so that its lane goes on; its attempts are counted. */
  async #runClaim(claim: LaneClaim): Promise<number> {
    const { ports, runTurn } = this.#parts;
    const { lane, epoch, item } = claim;
    this.#suspects.settle(lane, claim);
    try {
      return await runTurn(claim);
    } catch (error) {
      ports.log.error({ err: error, lane, attempt: item.attempt }, "a turn failed in the host");
      const isReleased = await this.#release(claim, false);
      return isReleased && item.attempt < MOST_HOST_FAILURES ? 1 : 0;
    } finally {
      this.#suspects.leave(lane, epoch);
    }
  }
}
