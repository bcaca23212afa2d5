import { expect, test } from "vitest";
import { runSeed } from "./run-seed.ts";
import { checkWorlds } from "./world-check.ts";

/** `pnpm test:long` runs thousands. */
const SEEDS = 300;
const EVENTS = 60;
/** A fixed amount of work has no limit: `runSeeds` ends what hangs. */
const UNLIMITED = { timeout: 0 };

test(`${SEEDS} worlds of ${EVENTS} events keep every promise`, UNLIMITED, () => checkWorlds(SEEDS, EVENTS));

test("the same seed gives the same trace, line by line", UNLIMITED, async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const [one, other] = [
      await runSeed({ seed, events: EVENTS, isTraced: true }),
      await runSeed({ seed, events: EVENTS, isTraced: true }),
    ];
    expect(one.trace.length).toBeGreaterThan(EVENTS);
    expect(other.trace).toEqual(one.trace);
  }
});
