import { findSoonestMs } from "../../../runs/run-timer.ts";
import type { SubagentParts } from "../../subagent-parts.ts";
import type { ReadySpawn } from "../spawn-draft.ts";

/** Stage 17: the timers were written with the acceptance, as was the first item of the child's lane; both wake up now. */
export function armTimers(
  { accept, draft }: ReadySpawn,
  { wakeTimers, wakeLanes, wakeStatuses }: Pick<SubagentParts, "wakeTimers" | "wakeLanes" | "wakeStatuses">,
): void {
  wakeTimers(findSoonestMs(accept.timers));
  wakeLanes([draft.plan.childSessionKey]);
  wakeStatuses();
}
