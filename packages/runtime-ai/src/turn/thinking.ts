import type { LanguageModelCallOptions } from "ai";

type Reasoning = NonNullable<LanguageModelCallOptions["reasoning"]>;

/** A thinking level as the AI SDK names it. */
const REASONING: Readonly<Record<string, Reasoning>> = {
  off: "none",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
};

/** Undefined: as the provider likes it. */
export function resolveReasoning(thinking: string | undefined): Reasoning | undefined {
  return thinking !== undefined && Object.hasOwn(REASONING, thinking) ? REASONING[thinking] : undefined;
}
