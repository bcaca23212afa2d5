import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 4. Reserved ones count; the transaction that reserves counts again, for others may spawn meanwhile. */
export function checkActiveChildren(spawn: SpawnCase): SpawnRefusal | undefined {
  return checkChildren(spawn) ?? checkTree(spawn);
}

function checkChildren({ facts, rules }: SpawnCase): SpawnRefusal | undefined {
  const { unfinishedChildren } = facts;
  if (unfinishedChildren < rules.maxChildrenPerAgent) return undefined;
  const problem = `${unfinishedChildren} sub-agents of this session are unfinished, and ${rules.maxChildrenPerAgent} are allowed; wait until one is done (its result comes by itself) or stop one with the tool subagents`;
  return refuseSpawn("forbidden", "children_reached", problem);
}

function checkTree({ facts }: SpawnCase): SpawnRefusal | undefined {
  const { unfinishedTreeRuns, limits } = facts;
  if (unfinishedTreeRuns < limits.maxTreeRuns) return undefined;
  const problem = `${unfinishedTreeRuns} sub-agents of this whole conversation are unfinished, and ${limits.maxTreeRuns} are allowed; wait until some are done, or do the task yourself`;
  return refuseSpawn("forbidden", "tree_reached", problem);
}
