import { expect, test } from "vitest";
import { DEFECTS } from "./defects/all-defects.ts";
import { drawWorldTheme } from "./events/plan.ts";
import { runSeed } from "./run-seed.ts";
import { WorldLog } from "./world/world-log.ts";
import { StoreRoom } from "./world/world-store.ts";

const MOST_SEEDS = 300;
const EVENTS = 60;

test.each(DEFECTS)(
  "a world with $name breaks a promise, and the invariant says which",
  async (defect) => {
    const { mostSeeds = MOST_SEEDS, needsGuild = false, needsMagpies = false } = defect;
    const [log, room] = [new WorldLog(), new StoreRoom()];
    let played = 0;
    for (let seed = 1; played < mostSeeds; seed += 1) {
      const { hasGuild, magpies } = drawWorldTheme(seed);
      if ((needsGuild && !hasGuild) || (needsMagpies && magpies === undefined)) continue;
      played += 1;
      const { broken } = await runSeed({ seed, events: EVENTS, defect, log, room });
      if (broken === undefined) continue;
      expect(defect.breaks, broken.sentence).toContain(broken.invariant);
      return;
    }
    expect.fail(`${defect.name} was not found within ${mostSeeds} seeds`);
  },
  // Half a minute for the rarest, on a machine that does nothing else.
  600_000,
);
