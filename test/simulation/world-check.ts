import assert from "node:assert/strict";
import { reportFailure } from "./failure-report.ts";
import { runSeeds } from "./run-seeds.ts";

/** Runs the worlds of seeds 1 to `seeds`, and prints the speed. Fails with the report of the first broken world. */
export async function checkWorlds(seeds: number, events: number): Promise<void> {
  const end = await runSeeds({ from: 1, seeds, events, defect: "none", threads: 2 });
  const [first] = end.broken;
  if (first !== undefined) assert.fail(await reportFailure({ seed: first.seed, events }, first));
  assert.equal(end.seeds, seeds);
  const perSecond = end.seeds / (end.durationMs / 1000);
  console.info(`${perSecond.toFixed()} worlds a second, ${(perSecond * events).toFixed()} events a second`);
}
