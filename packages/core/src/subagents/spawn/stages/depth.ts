import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 3. */
export function checkDepth({ facts, rules }: SpawnCase): SpawnRefusal | undefined {
  const { depth } = facts.requester;
  if (depth < rules.maxSpawnDepth) return undefined;
  const problem = `this session is at depth ${depth} of at most ${rules.maxSpawnDepth}; do the task yourself`;
  return refuseSpawn("forbidden", "depth_reached", problem);
}
