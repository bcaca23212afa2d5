import { FORK_LIMIT_TOKENS } from "./fork-context.ts";
import type { SpawnCase } from "./spawn-case.ts";

export interface ForkDecision {
  readonly isForked: boolean;
  readonly notes: readonly string[];
}

/** Whether the child starts with its parent's context; where it cannot, it starts isolated and says so. */
export function decideFork({
  request,
  facts,
  isSameAgent,
}: Pick<SpawnCase, "request" | "facts" | "isSameAgent">): ForkDecision {
  if (request.context !== "fork") return { isForked: false, notes: [] };
  if (!isSameAgent) return startIsolated("another agent does not get this agent's context");
  const { contextTokens } = facts.requester;
  if (contextTokens <= FORK_LIMIT_TOKENS) return { isForked: true, notes: [] };
  const limit = FORK_LIMIT_TOKENS.toLocaleString("en-US");
  return startIsolated(`this context is about ${contextTokens.toLocaleString("en-US")} tokens, over ${limit} tokens`);
}

function startIsolated(reason: string): ForkDecision {
  return { isForked: false, notes: [`starts isolated: ${reason}.`] };
}
