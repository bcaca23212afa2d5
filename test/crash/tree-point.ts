import type { KillPlan } from "./kill-plan.ts";
import type { TreeStoryName } from "./tree-story.ts";

/** A death in a story that surely passes its point. */
export interface TreePoint {
  readonly story: TreeStoryName;
  readonly plan: KillPlan;
}

export const TREE_POINTS: readonly TreePoint[] = [
  { story: "telegram", plan: { point: "T1.after", hit: 1 } },
  { story: "webchat", plan: { point: "T1.after", hit: 1 } },
];
