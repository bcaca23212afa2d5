import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LayoutWorld } from "./layout-world.ts";

const SEEDS = 150;
const STEPS = 60;
/** In memory where the system has a place for that: thousands of syncs are slow on a disk, and prove nothing here. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

test(`I20, I21: in ${SEEDS} worlds every transcript's file is a prefix of the database and every sessions.json parses, ` +
  "whenever the projector is killed or the power goes; when quiet they are equal to it", async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const world = new LayoutWorld(seed, mkdtempSync(join(FOLDER, "banyan-layout-")));
    try {
      for (let step = 0; step < STEPS && world.broken === undefined; step += 1) await world.step();
      if (world.broken === undefined) await world.rest();
      expect(world.broken, `seed ${seed}`).toBeUndefined();
    } finally {
      world.close();
    }
  }
}, 0);
