import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

type Answer = SpawnRefusal | undefined;

export function checkDepth({ facts, rules }: SpawnCase): Answer {
  const { depth } = facts.requester;
  if (depth < rules.maxSpawnDepth) return undefined;
  const problem = `this session is at depth ${depth} of at most ${rules.maxSpawnDepth}; do the task yourself`;
  return refuseSpawn("forbidden", "depth_reached", problem);
}

export function checkChildren({ facts, rules }: SpawnCase): Answer {
  const { unfinishedChildren } = facts;
  if (unfinishedChildren < rules.maxChildrenPerAgent) return undefined;
  const problem = `${unfinishedChildren} sub-agents of this session are unfinished, and ${rules.maxChildrenPerAgent} are allowed; wait until one is done (its result comes by itself) or stop one with the tool subagents`;
  return refuseSpawn("forbidden", "children_reached", problem);
}

export function checkTree({ facts }: SpawnCase): Answer {
  const { unfinishedTreeRuns, limits } = facts;
  if (unfinishedTreeRuns < limits.maxTreeRuns) return undefined;
  const problem = `${unfinishedTreeRuns} sub-agents of this whole conversation are unfinished, and ${limits.maxTreeRuns} are allowed; wait until some are done, or do the task yourself`;
  return refuseSpawn("forbidden", "tree_reached", problem);
}
