import type { Usage } from "@banyan/plugin-sdk";
import type { LanguageModelUsage } from "ai";

/** Adds what a step has used to what was used before. What no provider reported stays unknown. */
export function addUsage(before: Usage, step: LanguageModelUsage): Usage {
  const { cacheReadTokens, cacheWriteTokens } = step.inputTokenDetails;
  return {
    ...addCount("inputTokens", before.inputTokens, step.inputTokens),
    ...addCount("outputTokens", before.outputTokens, step.outputTokens),
    ...addCount("cacheRead", before.cacheRead, cacheReadTokens),
    ...addCount("cacheWrite", before.cacheWrite, cacheWriteTokens),
  };
}

function addCount(name: keyof Usage, before: number | undefined, added: number | undefined): Usage {
  if (before === undefined && added === undefined) return {};
  return { [name]: (before ?? 0) + (added ?? 0) };
}
