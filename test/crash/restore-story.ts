import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "@banyan/store-sqlite";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";

const CHILD = new URL("./restore-child.ts", import.meta.url).pathname;

/** Points that a restore passes where the database is empty. Before the last one a start refuses what is left. */
export const RESTORE_POINTS: readonly KillPlan[] = [
  { point: "store.id_file.before", hit: 1 },
  { point: "store.id_file.after", hit: 1 },
  { point: "store.aside.before", hit: 1 },
  { point: "store.aside.after", hit: 1 },
  { point: "store.aside.before", hit: 3 },
  { point: "store.aside.after", hit: 3 },
  { point: "store.restore.before", hit: 1 },
  { point: "store.restore.after", hit: 1 },
];

/** The database is emptied, and the restore of a backup is killed; the next restore brings the conversation back. */
export async function tellRestoreDeath(plan: KillPlan): Promise<void> {
  const world = await CrashWorld.open();
  try {
    await world.adaSaysAll();
    await world.start();
    await world.checkComplete();
    await backUp(world.stateDir);
    truncateSync(join(world.stateDir, "banyan.db"));
    await assert.rejects(openSqliteStore({ stateDir: world.stateDir }), /is empty, but .*run "banyan restore"/);
    assert.equal(await restore(world.stateDir, plan), "SIGKILL", `${plan.point} (${plan.hit}) was never reached`);
    if (plan.point !== "store.restore.after") {
      const refusal = /banyan\.db is (empty|missing)|a restore was cut off before its end/;
      await assert.rejects(openSqliteStore({ stateDir: world.stateDir }), refusal);
      assert.equal(await restore(world.stateDir), null);
    }
    const before = await world.ada.messages();
    await world.start();
    await world.rests();
    assert.deepEqual(await world.ada.messages(), before, "the restored store has said something again");
    await world.ada.says("calc 30+4");
    await world.ada.hears((event) => /\b34\b/.test(event.text));
    await world.stop();
    assert.ok(existsSync(join(world.stateDir, "replaced")));
  } finally {
    await world.close();
  }
}

async function backUp(stateDir: string): Promise<void> {
  const store = await openSqliteStore({ stateDir });
  await store.backUpNow();
  await store.close();
}

/** In a process of its own, as the command does it. Answers the signal that ended it. */
async function restore(stateDir: string, plan?: KillPlan): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify({ stateDir, plan })], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "close");
  assert.ok(child.signalCode !== null || child.exitCode === 0, "the restore failed");
  return child.signalCode;
}
