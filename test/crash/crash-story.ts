import type { WirePoint } from "./crash-point.ts";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";

/** One death at a point that this story surely passes. */
export async function tellOneDeath(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    await world.adaSaysAll();
    await world.start(plan);
    await world.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await world.checkComplete();
  });
}

/** A death at a point that only an answer passes which was written while another one of its chat was on its way. */
export async function tellDeathBehindAnother(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    const gate = await world.telegram.faults.hold({ method: "sendMessage", at: "request", skip: 0, times: 1 });
    await world.adaSaysAll();
    await world.start(plan);
    await gate.reached(1);
    await world.deliveriesWait(2);
    await gate.release();
    await world.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await world.checkComplete();
  });
}

/** A death in an orderly stop. */
export async function tellDeathAtStop(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    await world.adaSaysAll();
    await world.start(plan);
    await world.stop();
    await world.died(plan.point);
    await world.start();
    await world.checkComplete();
  });
}

/** Two deaths, each where the process happens to pass its point, else in the middle of nothing. */
export async function tellTwoDeaths(plans: readonly KillPlan[]): Promise<void> {
  await inWorld(async (world) => {
    await world.adaSaysAll();
    for (const plan of plans) {
      await world.start(plan);
      await world.diedOrRested();
    }
    await world.start();
    await world.checkComplete();
  });
}

/** A death while a call stands at the platform's door. */
export async function tellDeathAtTheDoor(door: WirePoint): Promise<void> {
  await inWorld(async (world) => {
    const { method, at, skip, end } = door;
    const gate = await world.telegram.faults.hold({ method, at, skip, times: 1 });
    await world.adaSaysAll();
    await world.start();
    await gate.reached(1);
    world.kill();
    await world.died(door.name);
    if (end === "cut") await gate.cut();
    else await gate.release();
    await world.start();
    await world.checkComplete();
  });
}

async function inWorld(story: (world: CrashWorld) => Promise<void>): Promise<void> {
  const world = await CrashWorld.open();
  try {
    await story(world);
  } finally {
    await world.close();
  }
}
