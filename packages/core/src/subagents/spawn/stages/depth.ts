import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 3. */
export function checkDepth({ facts, rules }: SpawnCase): SpawnRefusal | undefined {
  if (facts.requester.depth < rules.maxSpawnDepth) return undefined;
  const problem = `depth limit reached (maxSpawnDepth ${rules.maxSpawnDepth}); do the task yourself`;
  return refuseSpawn("forbidden", "depth_reached", problem);
}
