/**
 * Runs lanes: at most one turn of each at a time, as many lanes concurrently as there is room for. The way of a lane:
 *   1 ready    something may wait in it (`wake`, `resume`)
 *   2 resting  more messages may come, so nothing begins for a moment
 *   3 claimed  the store gives this process the lane and the item of its next turn (T2), or a receive has done so (`begin`)
 *   4 running  its turn, up to its commit. What is left in the lane makes it ready again
 * Turns of sub-agents have separate places (child-places.ts). Turns that were active at crashes run one at a time
 * (suspect-slot.ts).
 */
import type { StepResults, Store } from "@banyan/store";
import { commitPatiently, commitUntilKnown } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import { type ChildPlace, ChildPlaces, isChildLane } from "./child-places.ts";
import type { LaneClaim } from "./lane-claim.ts";
import { SuspectSlot } from "./suspect-slot.ts";

/** Turns that run concurrently. More lanes wait in the order in which they became ready. */
const DEFAULT_RUNNING_LANES = 1_000;
/** Turns of sub-agents that run besides these: people never wait for them, nor does a turn that waits for its children. */
const DEFAULT_RUNNING_CHILDREN = 8;
const PAGE_LANES = 1_000;
/** A lane whose claim failed, such as on a full disk, is tried again after this. */
const RETRY_MS = 30_000;
/** More than the attempts after which a turn is set aside: then setting it aside fails too, and the lane is left as it is. */
const MAX_HOST_FAILURES = 6;

export interface LaneSchedulerParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  readonly mostRunning?: number | undefined;
  readonly mostChildren?: number | undefined;
  /** Runs one claimed turn to its commit. Resolves with the number of items left in the lane. */
  runTurn(claim: LaneClaim): Promise<number>;
  findRevision(lane: string): number | undefined;
  /** Called when something waits in a lane that runs here. */
  offer?(lane: string): void;
  /** How long nothing begins in the lane, because more may come. */
  measureQuietMs?(lane: string): number;
  /** Chooses the item to claim where several may wait. `undefined`: the first. `isResumed`: they waited at the start. */
  choose?(lane: string, isResumed: boolean): Promise<number | undefined> | undefined;
  /** Aborts when the gateway stops: nothing waits for a full store any more. */
  readonly signal: AbortSignal;
}

export class LaneScheduler {
  readonly #parts: LaneSchedulerParts;
  /** Turns by lane. For a moment there may be two: one has released its lane in the store, the next one has claimed it. */
  readonly #running = new Map<string, number>();
  readonly #ready = new Set<string>();
  /** Found waiting at the start, and not claimed since. */
  readonly #resumed = new Set<string>();
  /** Ready lanes of sub-agents. They wait for separate places. */
  readonly #readyChildren = new Set<string>();
  /** Lanes in which more messages may come before the next turn. */
  readonly #resting = new Set<string>();
  readonly #children: ChildPlaces;
  /** The number of items that the last turn of a lane has left, while nothing else has happened in it. */
  readonly #left = new Map<string, number>();
  /** The places of sub-agents' turns, by lane. */
  readonly #places = new Map<string, ChildPlace>();
  readonly #waits = new LaneWaits();
  readonly #suspects: SuspectSlot;
  /** The number of running lanes that are not a sub-agent's. */
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

  /** Whether a receive may claim a lane in its step. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#ready.size === 0 && this.#others < this.#most;
  }

  /** The number of lanes that run or wait here. */
  get size(): number {
    const ready = [...this.#ready, ...this.#readyChildren, ...this.#suspects.waiting];
    return new Set([...this.#running.keys(), ...ready, ...this.#resting]).size;
  }

  /** Whether the lane runs or waits here. */
  has(lane: string): boolean {
    const isHere = this.#running.has(lane) || this.#resting.has(lane) || this.#readyOf(lane).has(lane);
    return isHere || this.#suspects.isWaiting(lane);
  }

  /** Begins the turn of a lane that was claimed for this process, or releases it if the scheduler has closed. */
  begin({ lane, ...claim }: LaneClaim): void {
    this.#left.delete(lane);
    const isResumed = this.#resumed.delete(lane);
    const known = { lane, ...claim, isResumed };
    void this.#run(lane, () => (this.#isClosed ? this.#releaseUntried(known) : this.#runClaim(known)));
  }

  /** Called when a lane may have something to do. */
  wake(lane: string): void {
    if (this.#running.has(lane) || this.#resting.has(lane)) this.#parts.offer?.(lane);
    // There may be more than was counted.
    this.#left.delete(lane);
    if (this.#resting.has(lane)) return;
    this.#readyOf(lane).add(lane);
    this.#pump();
  }

  /** Whether a receive must not claim the lane, because more messages may come. */
  isResting(lane: string): boolean {
    return this.#resting.has(lane);
  }

  /**
   * Called when a turn of the lane waits for `work`. Its place as a sub-agent's turn is free until then, and a suspect leaves
   * its slot for good.
   */
  async rest<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#suspects.isRunning(lane)) await this.#suspects.clear(lane);
    return this.#waits.during(lane, () => this.#places.get(lane)?.rest(work) ?? work());
  }

  /** Called when a turn of the lane has committed a step: it is not a suspect any more. */
  noteProgress(lane: string): void {
    this.#suspects.leave(lane);
  }

  /** Whether a turn of the lane waits like this now. */
  isWaiting(lane: string): boolean {
    return this.#waits.has(lane);
  }

  /** Makes every lane ready that waits in the store. */
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

  /** Begins no more turns. Resolves when none runs. */
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

  #endRest(lane: string): void {
    this.#resting.delete(lane);
    if (this.#isClosed) return;
    this.#readyOf(lane).add(lane);
    this.#pump();
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
        // If the next turn is here already, it has taken one of them.
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
    // No `await` without a choice.
    const itemSeq = choosing === undefined ? undefined : await choosing;
    const known = {
      ...(knownRevision === undefined ? {} : { knownRevision }),
      ...(itemSeq === undefined ? {} : { itemSeq }),
      ...(this.#suspects.mayJoin(lane) ? { isBesideSuspects: true as const } : {}),
    };
    ports.faultPoint("T2.before");
    const step = { step: "claim", lane, owner, claimId: ports.createId(), ...known } as const;
    // A claim that was written without an answer would keep the lane until the next start.
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

  async #releaseUntried(claim: LaneClaim): Promise<number> {
    await this.#release(claim, true);
    return 0;
  }

  /** Tries until the store takes it: a lane that is not released would do nothing until the next start. */
  async #release({ lane, epoch }: LaneClaim, giveBackAttempt: boolean): Promise<boolean> {
    const { store, ports, signal } = this.#parts;
    const released = await commitPatiently(store, { step: "release", lane, epoch, giveBackAttempt }, ports, signal);
    return released.status === "done";
  }

  /** A turn that fails in the host is released, so that its lane continues. Its attempts count. */
  async #runClaim(claim: LaneClaim): Promise<number> {
    const { ports, runTurn } = this.#parts;
    const { lane, epoch, item } = claim;
    this.#suspects.settle(lane, claim);
    try {
      return await runTurn(claim);
    } catch (error) {
      ports.log.error({ err: error, lane, attempt: item.attempt }, "a turn failed in the host");
      const isReleased = await this.#release(claim, false);
      return isReleased && item.attempt < MAX_HOST_FAILURES ? 1 : 0;
    } finally {
      this.#suspects.leave(lane, epoch);
    }
  }
}

/** Lanes whose turns wait for something now. */
class LaneWaits {
  /** By lane, for how many things its turn waits. */
  readonly #counts = new Map<string, number>();

  has(lane: string): boolean {
    return this.#counts.has(lane);
  }

  /** Resolves as the work does. */
  async during<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    this.#counts.set(lane, (this.#counts.get(lane) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const others = (this.#counts.get(lane) ?? 1) - 1;
      if (others > 0) this.#counts.set(lane, others);
      else this.#counts.delete(lane);
    }
  }
}
