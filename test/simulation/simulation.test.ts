import { expect, test } from "vitest";
import { runSeed } from "./run-seed.ts";
import { checkWorlds } from "./world-check.ts";

/** `pnpm test:long` plays thousands. */
const SEEDS = 300;
const EVENTS = 60;
/** Ends what hangs: worlds that are played are waited for. */
const HANG = { timeout: 1_200_000 };

test(`${SEEDS} worlds of ${EVENTS} events keep every promise`, HANG, () => checkWorlds(SEEDS, EVENTS));

test("the same seed tells the same story, line by line", HANG, async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const [one, other] = [
      await runSeed({ seed, events: EVENTS, isTraced: true }),
      await runSeed({ seed, events: EVENTS, isTraced: true }),
    ];
    expect(one.trace.length).toBeGreaterThan(EVENTS);
    expect(other.trace).toEqual(one.trace);
  }
});
