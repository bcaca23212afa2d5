import type { PreparedEnds } from "../runs/prepare-ends.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { abandonEnds, settleEnds } from "../runs/settle-ends.ts";
import type { CommandEffect } from "./command.ts";

/** The ends of runs as what a command does to sub-agents. */
export function buildEndsEffect(prepared: PreparedEnds, parts: RunParts): CommandEffect {
  return {
    written: { runs: prepared.effect },
    settle: (wakes) => settleEnds(prepared, wakes, parts),
    abandon: () => abandonEnds(prepared, parts),
  };
}
