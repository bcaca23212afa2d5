import type { Usage } from "@banyan/plugin-sdk";
import type { PromptAnswer } from "../links/agent-answer.ts";

/**
 * What an agent says that a turn has used, with what it has cost. Absent: it has told nothing. The protocol leaves open
 * whether cached input is among the input, and thoughts among the output; where the total says that they are not, they are
 * added, as everybody else counts them. No prompt is worked on without a token: where none is counted, as opencode does when
 * it was stopped, nobody has counted.
 */
export function readUsage({ usage = {} }: PromptAnswer, costUsd: number | undefined): Usage | undefined {
  if (Object.values(usage).every((count) => count === 0)) return costUsd === undefined ? undefined : { costUsd };
  const { totalTokens, cachedReadTokens: cacheRead, cachedWriteTokens: cacheWrite, thoughtTokens = 0 } = usage;
  const { inputTokens, outputTokens } = usage;
  const beside = Math.max(0, (totalTokens ?? 0) - (inputTokens ?? 0) - (outputTokens ?? 0));
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const cachedBeside = beside >= cached ? cached : 0;
  const thoughtBeside = beside - cachedBeside >= thoughtTokens ? thoughtTokens : 0;
  const told = {
    inputTokens: inputTokens === undefined ? undefined : inputTokens + cachedBeside,
    outputTokens: outputTokens === undefined ? undefined : outputTokens + thoughtBeside,
    cacheRead,
    cacheWrite,
    costUsd,
  };
  const known = Object.entries(told).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
