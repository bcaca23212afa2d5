import type { Ports } from "@banyan/core";
import type { Invariant } from "../invariants/invariant.ts";
import { type CommitFault, FaultBox } from "./fault-box.ts";
import type { Observation } from "./observation.ts";
import { Random } from "./random.ts";
import { RunLedger } from "./run-ledger.ts";
import type { StoreMirror } from "./store-mirror.ts";
import { Trace } from "./trace.ts";
import { WorldClock } from "./world-clock.ts";
import type { WorldLog } from "./world-log.ts";
import type { StoreRoom, WorldStore } from "./world-store.ts";

export interface Break {
  readonly invariant: string;
  readonly sentence: string;
}

const FEW_TURNS = 2;

/** The log's own time is the machine's, the one thing that differs from run to run. */
const LOG_TIME = /"time":\d+,/;

export interface GroundParts {
  readonly seed: number;
  readonly isTraced: boolean;
  readonly invariants: readonly Invariant[];
  readonly log: WorldLog;
  /** One for worlds that are played one after another. */
  readonly room: StoreRoom;
}

/** What all in a world stand on: its time and chance, what the store holds, the faults to come, and who watches. */
export class Ground {
  readonly random: Random;
  readonly clock: WorldClock = new WorldClock();
  readonly store: WorldStore;
  readonly data: StoreMirror;
  readonly runLedger: RunLedger;
  readonly faults: FaultBox = new FaultBox();
  readonly scrubber: WorldLog["scrubber"];
  readonly log: Ports["log"];
  readonly trace: Trace;
  /** All platforms are out of reach until then. */
  outageUntilMs = 0;
  /** The store has no space until then. */
  fullUntilMs = 0;
  /** When the store was last in trouble, on the clock of durations. */
  lastTroubleMs = 0;
  /** Sessions take turns where more of them have something to do. */
  mostRunningTurns = 1_000;
  broken: Break | undefined;
  readonly #watchers: ((seen: Observation) => void)[] = [];
  readonly #invariants: readonly Invariant[];
  readonly #healed = new AbortController();
  #ids = 0;

  constructor({ seed, isTraced, invariants, log, room }: GroundParts) {
    this.store = room.open();
    this.data = this.store.view;
    this.runLedger = new RunLedger(this.data);
    this.random = new Random(seed);
    if (this.random.chance(0.3)) this.mostRunningTurns = FEW_TURNS;
    this.trace = new Trace(isTraced, () => this.clock.monotonic());
    this.#invariants = invariants;
    log.attach((line) => this.observe({ type: "logged", line }));
    this.log = log.log;
    this.scrubber = log.scrubber;
  }

  /** Ids grow over all processes, as if their clocks agreed. */
  createId(): string {
    this.#ids += 1;
    return `id${String(this.#ids).padStart(7, "0")}`;
  }

  /** For parts of the world that look at what the processes do. */
  watch(watcher: (seen: Observation) => void): void {
    this.#watchers.push(watcher);
  }

  observe(observation: Observation): void {
    for (const watcher of this.#watchers) watcher(observation);
    if (observation.type === "posted") {
      const { account, chat, text } = observation.post;
      this.trace.tell(() => `${account} → ${chat}: ${JSON.stringify(text.slice(0, 100))}`);
    }
    if (observation.type === "edited") {
      const { account, platformId, text } = observation.edit;
      this.trace.tell(() => `${account} ✎ ${platformId}: ${JSON.stringify(text.slice(0, 100))}`);
    }
    if (observation.type === "logged")
      this.trace.tell(() => `  log ${observation.line.replace(LOG_TIME, "").slice(0, 300)}`);
    for (const invariant of this.#invariants) {
      const sentence = invariant.observe(observation, this);
      if (sentence !== undefined) this.break(invariant.name, sentence);
    }
  }

  /** The first break is the one that counts: the rest mostly follows from it. */
  break(invariant: string, sentence: string): void {
    if (this.broken !== undefined) return;
    this.broken = { invariant, sentence };
    this.trace.tell(() => `${invariant} is broken: ${sentence}`);
  }

  takeCommitFault(step: string): CommitFault | undefined {
    const fault = this.clock.monotonic() < this.fullUntilMs ? "full" : this.faults.takeCommit(step);
    if (fault !== undefined) this.lastTroubleMs = this.clock.monotonic();
    return fault;
  }

  /** The faults are over. */
  heal(): void {
    this.faults.clear();
    this.outageUntilMs = 0;
    this.fullUntilMs = 0;
    this.#healed.abort();
    this.trace.tell(() => "the faults are over");
  }

  /** Resolves when the faults are over, or the signal aborts. */
  untilHealed(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#healed.signal]);
    return new Promise((resolve) => {
      if (either.aborted) resolve();
      else either.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
