import type { SpawnCase } from "../spawn-case.ts";

/** Stage 8: how many spawns lie between the child and a person. */
export function resolveChildDepth({ facts }: Pick<SpawnCase, "facts">): number {
  return facts.requester.depth + 1;
}
