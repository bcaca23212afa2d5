/** The kills that `pnpm test` runs. `pnpm test:long` and `pnpm crash` run all others. */
import { describe, test } from "vitest";
import { tellOneDeath } from "./crash-story.ts";
import type { KillPlan } from "./kill-plan.ts";
import { nameTreePoint, type TreePoint } from "./tree-point.ts";
import { TREE_STORIES, tellSureTreeDeaths } from "./tree-story.ts";

const IN_A_CONVERSATION: readonly KillPlan[] = [
  { point: "T2.after", hit: 1 },
  { point: "T2b.before", hit: 1 },
];

/** At each step of the way, at one of its sides. */
const IN_A_TREE: readonly TreePoint[] = [
  { story: "discord", plans: [{ point: "T0.after", hit: 1 }] },
  { story: "discord", plans: [{ point: "T1a.before", hit: 1 }] },
  { story: "discord", plans: [{ point: "thread.after", hit: 1 }] },
  { story: "discord", plans: [{ point: "T3.after", hit: 1 }] },
  { story: "discord", plans: [{ point: "T5.after", hit: 1 }] },
  { story: "discord", plans: [{ point: "T6.before", hit: 2 }] },
  { story: "telegram", plans: [{ point: "T1.after", hit: 1 }] },
  { story: "lives", plans: [{ point: "T4.before", hit: 1 }] },
  { story: "results", plans: [{ point: "anchor.after", hit: 1 }] },
  // One of three sub-agents has ended, and its requester waits for the others.
  { story: "telegram", plans: [{ point: "T3.after", hit: 3 }] },
];

describe("a process that is killed loses nothing and repeats nothing unmarked", () => {
  for (const plan of IN_A_CONVERSATION) {
    test(`${plan.point} (${plan.hit})`, () => tellOneDeath(plan));
  }
  for (const point of IN_A_TREE) {
    test(nameTreePoint(point), () => tellSureTreeDeaths(TREE_STORIES[point.story], point.plans));
  }
});
