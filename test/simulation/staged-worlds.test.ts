import { expect, test } from "vitest";
import { drawPlan } from "./events/plan.ts";
import { chooseStaging, stagePlan } from "./events/staged-worlds.ts";
import { runSeed } from "./run-seed.ts";

const SEEDS = 1_000;
const EVENTS = 60;
const MOODS = { poison: "poison", "poisoned task": "echo", kills: "walk" } as const;

test("every staged world has its errand, and nothing else of its plan is changed", () => {
  let staged = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const staging = chooseStaging(seed, { name: "none" });
    if (staging === undefined) continue;
    staged += 1;
    const plan = drawPlan(seed, EVENTS);
    const changed = stagePlan(plan, staging).filter((event, place) => event !== plan[place]);
    expect(changed, `seed ${seed}`).toEqual([expect.objectContaining({ kind: "says", text: "hello #m" })]);
    expect(changed[0], `seed ${seed}`).toMatchObject({ errand: { mood: MOODS[staging] } });
  }
  expect(staged).toBeGreaterThan(SEEDS / 4);
});

// 5 is the first world of kills; in that of 1409 nobody says what is staged.
test.each([5, 1409])(
  "in the world of seed %i the process is killed twenty times, and no promise is broken",
  async (seed) => {
    expect(chooseStaging(seed, { name: "none" })).toBe("kills");
    const { broken, kills, trace } = await runSeed({ seed, events: EVENTS, isTraced: true });
    expect(broken).toBeUndefined();
    expect(kills).toBe(20);
    expect(trace.filter((line) => /#\d+ dies$/.test(line)).length).toBeGreaterThanOrEqual(kills);
  },
);
