import type { KillPlan } from "./kill-plan.ts";
import type { TreeStoryName } from "./tree-story.ts";

/** Deaths one behind the other in one world: as many points with half as many processes. */
export interface DeathChain {
  readonly story: TreeStoryName;
  readonly plans: readonly KillPlan[];
}

/** What is left undone by a death is passed again, so each point is passed surely. A third one would end the turn it cuts. */
export const DEATH_CHAINS: readonly DeathChain[] = [
  chain("webchat", ["T1a.before", "T1a.after"]),
  chain("webchat", ["T2.before", "T2.after"]),
  // A row that was cut off on its way out is taken up by the next process, with an attempt of its own.
  chain("webchat", ["tap.before", "T5.before"]),
  chain("webchat", ["tap.before", "T5.after"]),
  chain("telegram", ["tap.before", "T5.before"]),
  chain("telegram", ["tap.before", "T5.after"]),
  chain("web lives", ["timer.before", "archive.after"]),
  // Its files are still to be removed then.
  chain("web lives", ["archive.before", "timer.after"]),
  chain("web lives", ["T4.before", "T4.after"]),
];

/** Each at its first pass in its own life. */
function chain(story: TreeStoryName, points: readonly string[]): DeathChain {
  return { story, plans: points.map((point) => ({ point, hit: 1 })) };
}
