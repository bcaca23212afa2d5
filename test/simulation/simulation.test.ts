import { expect, test } from "vitest";
import { runSeed } from "./run-seed.ts";
import { StoreRoom } from "./world/world-store.ts";
import { checkWorlds } from "./world-check.ts";

/** `pnpm test:long` runs thousands. */
const SEEDS = 300;
const EVENTS = 60;
/** A fixed amount of work has no limit: `runSeeds` ends what hangs. */
const UNLIMITED = { timeout: 0 };

test(`${SEEDS} worlds of ${EVENTS} events keep every promise`, UNLIMITED, () => checkWorlds(SEEDS, EVENTS));

test("the same seed gives the same trace, line by line", UNLIMITED, async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const options = { seed, events: EVENTS, isTraced: true };
    const [one, other] = [await runSeed(options), await runSeed(options)];
    expect(one.trace.length).toBeGreaterThan(EVENTS);
    expect(other.trace).toEqual(one.trace);
  }
});

test("a world in a cleared database plays like one in a fresh one, line by line", UNLIMITED, async () => {
  const room = new StoreRoom();
  for (let seed = 21; seed <= 30; seed += 1) {
    const options = { seed, events: EVENTS, isTraced: true };
    const [cleared, fresh] = [await runSeed({ ...options, room }), await runSeed(options)];
    expect(cleared.trace).toEqual(fresh.trace);
  }
  room.close();
});
