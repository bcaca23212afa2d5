import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WirePoint } from "./crash-point.ts";
import { CrashWorld, type Line } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";

/** A gateway starts slowly while other tests run. */
const REACHED_WITHIN_MS = 60_000;

/** Lines that fill a disk: each is some pages in the store until it is answered. */
const LONG_LINES: readonly Line[] = Array.from({ length: 8 }, (_, index) => ({
  says: `calc ${"1".repeat(3_000 + index)}`,
  answer: new RegExp(`it has ${3_000 + index} characters; I take 200`),
}));

/** One death at a point that this story surely passes. */
export async function tellOneDeath(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    await world.adaSaysAll();
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await world.checkComplete();
  });
}

/** A death at a point that only an answer passes which was written while another one of its chat was on its way. */
export async function tellDeathBehindAnother(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    const gate = await world.telegram.faults.hold({ method: "sendMessage", at: "request", skip: 0, times: 1 });
    await world.adaSaysAll();
    const gateway = await world.start(plan);
    await gate.reached(1, REACHED_WITHIN_MS);
    await world.deliveriesWait(2);
    await gate.release();
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await world.checkComplete();
  });
}

/** A death in an orderly stop. */
export async function tellDeathAtStop(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    await world.adaSaysAll();
    const gateway = await world.start(plan);
    await gateway.stop();
    await gateway.died(plan.point);
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
    const gateway = await world.start();
    await gate.reached(1, REACHED_WITHIN_MS);
    gateway.signal("SIGKILL");
    await gateway.died(door.name);
    if (end === "cut") await gate.cut();
    else await gate.release();
    await world.start();
    await world.checkComplete();
  });
}

/** A thread of the store dies alone; the process goes on as if nothing had been. */
export async function tellThreadDeath(plan: KillPlan, line: RegExp): Promise<void> {
  await inWorld(async (world) => {
    const deaths = join(world.folder, "deaths");
    mkdirSync(deaths);
    await world.adaSaysAll();
    await world.start({ ...plan, dies: "thread" }, { deaths, mostDeaths: "1" });
    await world.checkComplete();
    assert.deepEqual(readdirSync(deaths), ["death-1"], `${plan.point} (${plan.hit}) was never passed\n${world.log}`);
    assert.match(world.log, line);
  });
}

/** The store's worker dies, and the one that was started in its place dies, too: the gateway gives up in order. */
export async function tellTwoWorkerDeaths(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    const deaths = join(world.folder, "deaths");
    mkdirSync(deaths);
    await world.adaSaysAll();
    const gateway = await world.start({ ...plan, dies: "thread" }, { deaths, mostDeaths: "2" });
    assert.equal(await gateway.gaveUp(), 1, world.log);
    assert.match(world.log, /the store has failed; the gateway stops/);
    await world.start();
    await world.checkComplete();
  });
}

/** The disk fills up when the database has grown by some pages; then somebody makes room. */
export async function tellFullDisk(pages: number): Promise<void> {
  await inWorld(async (world) => {
    const disk = join(world.folder, "disk");
    writeFileSync(disk, String(pages));
    await world.adaSaysAll();
    await world.start(undefined, { disk });
    await world.logs(/no space is left/);
    // What could not be stored was not acknowledged either.
    if (pages === 0) assert.equal((await world.telegram.bot()).pendingUpdates, world.story.length, world.log);
    rmSync(disk);
    await world.checkComplete();
  }, LONG_LINES);
}

/** A second process comes to the same state directory while the first one works, and while it is stopped. */
export async function tellSecondProcess(): Promise<void> {
  await inWorld(async (world) => {
    const gate = await world.telegram.faults.hold({ method: "sendMessage", at: "answer", times: 1 });
    await world.adaSaysAll();
    const first = await world.start();
    await gate.reached(1, REACHED_WITHIN_MS);
    const refusal = new RegExp(
      `Another process \\(PID ${first.pid}\\) uses this directory; stop it, or choose another state directory`,
    );
    assert.match(await world.startSecond(), refusal);
    first.signal("SIGSTOP");
    assert.match(await world.startSecond(), refusal);
    first.signal("SIGCONT");
    await gate.release();
    await world.checkComplete();
  });
}

/** The first process is killed: the next one has the state directory at once. */
export async function tellSuccession(): Promise<void> {
  await inWorld(async (world) => {
    await world.adaSaysAll();
    const first = await world.start();
    first.signal("SIGKILL");
    await first.died("the kill");
    await world.start();
    await world.checkComplete();
  });
}

/** The process stands still, as in a virtual machine that is moved: at rest, or while a message is on its way. */
export async function tellStandstill(when: "at rest" | "while it sends", pass: () => Promise<void>): Promise<void> {
  await inWorld(async (world) => {
    const gate = await world.telegram.faults.hold({ method: "sendMessage", at: "answer", times: 1 });
    const gateway = await world.start();
    if (when === "while it sends") {
      await world.adaSaysAll();
      await gate.reached(1, REACHED_WITHIN_MS);
    }
    gateway.signal("SIGSTOP");
    if (when === "at rest") await world.adaSaysAll();
    await gate.release();
    await pass();
    gateway.signal("SIGCONT");
    await world.checkComplete();
  });
}

async function inWorld(story: (world: CrashWorld) => Promise<void>, more: readonly Line[] = []): Promise<void> {
  const world = await CrashWorld.open(more);
  try {
    await story(world);
  } finally {
    await world.close();
  }
}
