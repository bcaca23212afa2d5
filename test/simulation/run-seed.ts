import { setImmediate } from "node:timers/promises";
import type { GatewayOptions } from "@banyan/core";
import { type Defect, NO_DEFECT } from "./defects/defect.ts";
import { applyEvent } from "./events/apply-event.ts";
import { drawPlan, drawWorldTheme } from "./events/plan.ts";
import { BEFORE_KILL_MS, chooseStaging, isKilledAfter, stagePlan } from "./events/staged-worlds.ts";
import { createInvariants } from "./invariants/all-invariants.ts";
import type { Break } from "./world/ground.ts";
import { World } from "./world/world.ts";
import { WorldLog } from "./world/world-log.ts";
import { StoreRoom } from "./world/world-store.ts";

export interface SeedOptions {
  readonly seed: number;
  readonly events: number;
  readonly defect?: Defect;
  readonly isTraced?: boolean;
  /** One for worlds that are played one after another. */
  readonly log?: WorldLog;
  /** The same; its database is used again. */
  readonly room?: StoreRoom;
  /** Only these, by their place in the plan. Without it, all. */
  readonly kept?: ReadonlySet<number>;
}

export interface SeedEnd {
  readonly broken: Break | undefined;
  /** Of the kills that are staged, those that ended a process. */
  readonly kills: number;
  readonly trace: readonly string[];
}

/** Long enough for every backoff and for what is tried every half an hour. */
const PATIENCE_MS = 6 * 60 * 60_000;
/** After the rest, holds and courtesies run out. */
const AFTERWARDS_MS = 2 * 60_000;

/** In some worlds a newer message takes the place of the turn that runs. Without a draw, so that no plan changes by it. */
function chooseQueue(seed: number): GatewayOptions["queue"] {
  if (seed % 6 !== 0) return undefined;
  return { mode: "interrupt", interrupt: { resume: seed % 12 === 0 ? "checkpoint" : "here" } };
}

/** Plays the world of one seed: its events, then the end of all faults, then rest. */
export async function runSeed(options: SeedOptions): Promise<SeedEnd> {
  if (options.room !== undefined) return playWorld(options, options.room);
  const room = new StoreRoom();
  try {
    return await playWorld(options, room);
  } finally {
    room.close();
  }
}

async function playWorld(options: SeedOptions, room: StoreRoom): Promise<SeedEnd> {
  const { seed, events, defect = NO_DEFECT, isTraced = false, kept, log = new WorldLog() } = options;
  // A world is played within one turn of the event loop; others get theirs in between.
  await setImmediate();
  const { hasGuild, magpies } = drawWorldTheme(seed);
  const queue = defect === NO_DEFECT ? chooseQueue(seed) : undefined;
  const staging = chooseStaging(seed, defect);
  const world = new World({
    seed,
    isTraced,
    defect,
    hasGuild,
    magpies,
    queue,
    invariants: createInvariants(queue !== undefined, staging === "kills"),
    log,
    room,
  });
  const { ground } = world;
  const { clock } = ground;
  let kills = 0;
  for (const [place, event] of stagePlan(drawPlan(seed, events), staging).entries()) {
    await world.pass(clock.monotonic() + event.afterMs);
    if (ground.broken !== undefined) break;
    if (kept?.has(place) === false) continue;
    applyEvent(world, event);
    if (!isKilledAfter(place, staging)) continue;
    await world.pass(clock.monotonic() + BEFORE_KILL_MS);
    if (!world.process.isDead) kills += 1;
    applyEvent(world, { afterMs: BEFORE_KILL_MS, kind: "crash" });
  }
  world.heal();
  await world.pass(clock.monotonic() + PATIENCE_MS, () => world.isQuiet);
  await world.pass(clock.monotonic() + AFTERWARDS_MS);
  if (ground.broken === undefined) world.finish();
  return { broken: ground.broken, kills, trace: ground.trace.lines };
}
