import { expect, test } from "vitest";
import { runSeed } from "./run-seed.ts";
import { checkWorlds } from "./world-check.ts";

/** `pnpm test:long` runs thousands. */
const SEEDS = 300;
const EVENTS = 60;
/** Only ends a run that hangs; a run that makes progress ends long before. */
const HANG = { timeout: 1_200_000 };

test(`${SEEDS} worlds of ${EVENTS} events keep every promise`, HANG, () => checkWorlds(SEEDS, EVENTS));

test("the same seed gives the same trace, line by line", HANG, async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const [one, other] = [
      await runSeed({ seed, events: EVENTS, isTraced: true }),
      await runSeed({ seed, events: EVENTS, isTraced: true }),
    ];
    expect(one.trace.length).toBeGreaterThan(EVENTS);
    expect(other.trace).toEqual(one.trace);
  }
});
