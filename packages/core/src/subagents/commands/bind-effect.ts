import type { BindEffect } from "@banyan/store";
import type { CommandEffect } from "../../commands/command.ts";
import type { SubagentParts } from "../subagent-parts.ts";

/** What a command binds or frees. Nothing is prepared for it, so nothing is to be taken back. */
export function buildBindEffect(bind: BindEffect, { wakeTimers }: Pick<SubagentParts, "wakeTimers">): CommandEffect {
  return { written: { bind }, settle: () => wakeTimers(), abandon: async () => undefined };
}
