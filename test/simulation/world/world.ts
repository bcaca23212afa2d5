import type { GatewayOptions } from "@banyan/core";
import type { Defect } from "../defects/defect.ts";
import type { MagpieSettings } from "../events/magpie-plan.ts";
import { Town } from "../platforms/town.ts";
import { SimProcess } from "../process/sim-process.ts";
import { Ground, type GroundParts } from "./ground.ts";

/** A supervisor waits longer than that before it starts a process that has just died. */
const LEAST_RESTART_MS = 200;
const RESTART_MS = 3_000;
const NAP_MS = 8_000;
const LAST_WALK_MS = 6_000;
const ALL_TURNS = 1_000;

export interface WorldOptions extends GroundParts {
  readonly defect: Defect;
  /** Whether people also talk on the platform with threads. */
  readonly hasGuild: boolean;
  /** How the accounts deliver whose messages can be edited, where there are any. */
  readonly magpies?: MagpieSettings | undefined;
  /** What a message does that comes while a turn runs. Absent: it waits. */
  readonly queue?: GatewayOptions["queue"] | undefined;
}

/** One seed's world: a store, platforms and people that outlive the processes of the gateway, and one time for all. */
export class World {
  readonly ground: Ground;
  readonly town: Town;
  readonly #defect: Defect;
  readonly #queue: GatewayOptions["queue"] | undefined;
  readonly #sleepers = new Set<SimProcess>();
  #process: SimProcess;
  #processes = 0;
  /** A suspended process lived beside the one that runs now: it may have left something. */
  #hadSleepers = false;

  constructor({ defect, hasGuild, magpies, queue, ...parts }: WorldOptions) {
    this.ground = new Ground(parts);
    // These worlds last longer than the patience with a lane that waits for agents which hang.
    if (hasGuild) this.ground.mostRunningTurns = ALL_TURNS;
    this.town = new Town(this.ground, { ...defect, hasGuild, magpies });
    this.#defect = defect;
    this.#queue = queue;
    this.#process = this.#begin();
  }

  /** The one that the platforms talk with, or talked with last. */
  get process(): SimProcess {
    return this.#process;
  }

  /**
   * The faults are over. Where a process died beside its successor, that one is started anew: only a start takes up what
   * others left.
   */
  heal(): void {
    this.ground.heal();
    // A start also takes away what stands in chats and is nobody's.
    const isRestarted = this.#hadSleepers || this.town.guild !== undefined;
    for (const sleeper of this.#sleepers) sleeper.die();
    if (isRestarted) this.#process.die();
  }

  /** Whether nothing is left to do anywhere. */
  get isQuiet(): boolean {
    const { waitingItems, waitingCommands, ownedLanes, unsettledDeliveries } = this.ground.data;
    if (!this.#process.isStarted || waitingItems + waitingCommands.size + ownedLanes.size > 0) return false;
    for (const ids of unsettledDeliveries.values()) if (ids.size > 0) return false;
    const { indexes, timers } = this.ground.data.runs;
    if (indexes.unfinishedChild.size + indexes.unsettled.size + timers.size > 0) return false;
    return this.town.unheard.length === 0 && this.town.guild?.findDraft() === undefined;
  }

  /** Lets happen what happens until then, each thing to its end before the next. */
  async pass(untilMs: number, isOver: () => boolean = () => false): Promise<void> {
    while (this.ground.broken === undefined && !isOver() && this.ground.clock.step(untilMs)) await untilIdle();
  }

  /** The end of the world's time: it must be at rest. */
  finish(): void {
    const [lost] = this.town.guild?.owed.values() ?? [];
    const draft = this.town.guild?.findDraft();
    if (draft !== undefined) this.ground.break("drafts", `a growing answer is left in a chat: ${draft.content}`);
    else if (lost !== undefined) this.ground.break("I12", `“${lost.content}” was never stored`);
    else if (this.isQuiet)
      this.ground.observe({
        type: "quiet",
        load: this.#process.gateway.load,
        threads: this.town.guild?.listBeginnings() ?? [],
      });
    else this.ground.break("rest", `it does not come to rest: ${this.#describeUnrest()}`);
  }

  #begin(): SimProcess {
    this.#hadSleepers = this.#sleepers.size > 0;
    this.#processes += 1;
    const process = new SimProcess({
      ground: this.ground,
      town: this.town,
      defect: this.#defect,
      queue: this.#queue,
      number: this.#processes,
      onDeath: () => this.#replace(process),
      onPause: () => this.#succeed(process),
    });
    this.#process = process;
    process.start();
    return process;
  }

  /** The process is gone: another one is started, unless that has happened. */
  #replace(process: SimProcess): void {
    const { clock, random } = this.ground;
    this.#sleepers.delete(process);
    if (process !== this.#process) return;
    clock.schedule(LEAST_RESTART_MS + random.next() * RESTART_MS, () => {
      if (process === this.#process) this.#begin();
    });
  }

  /** The process is suspended: another one takes its place; later it wakes, goes on for a while, and is ended. */
  #succeed(process: SimProcess): void {
    const { clock, random } = this.ground;
    this.#sleepers.add(process);
    clock.schedule(random.next() * RESTART_MS, () => {
      if (process !== this.#process) return;
      process.isLeader = false;
      this.#begin();
    });
    const wakesInMs = RESTART_MS + random.next() * NAP_MS;
    clock.schedule(wakesInMs, () => process.wake());
    clock.schedule(wakesInMs + random.next() * LAST_WALK_MS, () => process.die());
  }

  #describeUnrest(): string {
    const { waitingItems, waitingCommands, ownedLanes, unsettledDeliveries, runs } = this.ground.data;
    const open = [...runs.records.values()].flatMap(({ row }) =>
      row.state === "ended" && row.settledBy !== undefined ? [] : `${row.runId} ${row.state} ${row.settledBy}`,
    );
    const rows = [...unsettledDeliveries].map(([state, ids]) => `${ids.size} ${state}`).join(", ");
    const lanes = [...ownedLanes].map(({ lane }) => lane).join(", ");
    return `waiting ${waitingItems}, commands ${waitingCommands.size}, running ${lanes}, deliveries ${rows}, unheard ${this.town.unheard.join()}, runs ${open.join(", ")}, timers ${[...runs.timers.keys()].join()}`;
  }
}

/**
 * Node empties its queue of microtasks before it comes here: all that needs no time has happened then. Cheaper than a
 * turn of the event loop, which nothing in a world waits for.
 */
function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
