import { expect, test } from "vitest";
import type { Defect } from "./defects/defect.ts";
import { lastRoute } from "./defects/last-route.ts";
import { reportFailure } from "./failure-report.ts";
import { runSeed } from "./run-seed.ts";
import { checkWorlds } from "./world-check.ts";

const SEEDS = 5_000;
const EVENTS = 60;
/** A fixed amount of work has no limit: `runSeeds` ends what hangs. */
const UNLIMITED = { timeout: 0 };

test(`${SEEDS} worlds of ${EVENTS} events keep every promise`, UNLIMITED, () => checkWorlds(SEEDS, EVENTS));

test(
  "a broken promise is reported with its seed, the few events that it needs, and the transcript",
  UNLIMITED,
  async () => {
    const seed = await findBroken(lastRoute);
    const options = { seed, events: EVENTS, defect: lastRoute };
    const { broken } = await runSeed(options);
    if (broken === undefined) expect.fail("the defect was not found");
    const report = await reportFailure(options, broken);
    const lines = report.split("\n");
    expect(lines[0]).toMatch(/^Seed \d+ breaks I10: id\d+\.0 answers a message of .* and is for /);
    expect(lines[1]).toBe(`Again: pnpm simulate --seed ${seed} --events 60 --defect last-route --trace`);
    // It needs a message to each of two accounts that share a session, and an event that delays the first message.
    const kept = Number(/^(\d+) of its 60 events are enough:$/.exec(lines[2] ?? "")?.[1]);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(6);
    const [told = ""] = /^ +\d+ {2}(?:says\w*|burst) .*$/m.exec(report) ?? [];
    const [, person = ""] = /(\w+) at (?:pigeon|raven)\//.exec(told) ?? [];
    expect(report).toMatch(new RegExp(` ${person}: .*#m\\d+\\n`));
    expect(report).toMatch(/commit_turn agent:main:.*→ done\n/);
  },
);

async function findBroken(defect: Defect): Promise<number> {
  for (let seed = 1; seed <= 100; seed += 1) {
    const { broken } = await runSeed({ seed, events: EVENTS, defect });
    if (broken !== undefined) return seed;
  }
  return expect.fail(`${defect.name} was not found`);
}
