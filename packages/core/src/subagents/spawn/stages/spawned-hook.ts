import type { SubagentParts } from "../../subagent-parts.ts";
import type { ReadySpawn } from "../spawn-draft.ts";
import { buildSpawningRun } from "../spawning-run.ts";

/** Stage 18: `subagent_spawned` is told; nobody waits for what its taps do. */
export function callSpawnedHook({ draft, binding }: ReadySpawn, { hooks }: Pick<SubagentParts, "hooks">): void {
  const run = buildSpawningRun(draft);
  void hooks.subagent_spawned.call({ ...run, ...(binding === undefined ? {} : { binding }) });
}
