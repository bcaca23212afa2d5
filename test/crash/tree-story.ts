/** Deaths while sub-agents are spawned, work, end and are told of. */
import type { KillPlan } from "./kill-plan.ts";
import { openTelegramPlace, openWebPlace } from "./tree-place.ts";
import { type TreeStory, TreeWorld } from "./tree-world.ts";

/** A person spawns one sub-agent, and the agent three, whose shares it joins. */
const BRANCH: Omit<TreeStory, "openPlace"> = {
  agent: "demo",
  async play(world) {
    await world.says("/spawn --label sum calc 2+3");
    await world.says("count words in docs");
  },
  hears: [
    /🌱 .*sum.* is at work/,
    /✅ .*sum.* done in .*2\+3 = 5/s,
    /I split docs\/ over three sub-agents/,
    /docs\/ has 6 words in 3 files/,
  ],
  end: { runs: { complete: 4 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
};

export type TreeStoryName = "telegram" | "webchat";

export const TREE_STORIES: Readonly<Record<TreeStoryName, TreeStory>> = {
  telegram: { ...BRANCH, openPlace: openTelegramPlace },
  webchat: { ...BRANCH, openPlace: openWebPlace },
};

/** One death at a point that the story surely passes. */
export async function tellTreeDeath(story: TreeStory, plan: KillPlan): Promise<void> {
  await inWorld(story, async (world) => {
    await world.dies(plan);
    await world.checkComplete();
  });
}

/** Deaths where the processes happen to pass their points. */
export async function tellTreeDeaths(story: TreeStory, plans: readonly KillPlan[]): Promise<void> {
  await inWorld(story, async (world) => {
    for (const plan of plans) await world.diesOrRests(plan);
    await world.checkComplete();
  });
}

async function inWorld(story: TreeStory, tell: (world: TreeWorld) => Promise<void>): Promise<void> {
  const world = await TreeWorld.open(story);
  try {
    await tell(world);
  } finally {
    await world.close();
  }
}
