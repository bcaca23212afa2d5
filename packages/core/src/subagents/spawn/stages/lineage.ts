import type { SessionEntry } from "@banyan/plugin-sdk";
import type { SpawnDraft } from "../spawn-draft.ts";

export type Lineage = Pick<
  SessionEntry,
  "spawnedBy" | "spawnedWorkspaceDir" | "spawnDepth" | "spawnLineage" | "forkedFromParent"
>;

/** Stage 15: where the child comes from. */
export function buildLineage({ asker, world, plan }: SpawnDraft): Lineage {
  const { entry, agentId } = world.requester;
  return {
    spawnedBy: asker.sessionKey,
    spawnedWorkspaceDir: plan.body.workspaceDir,
    spawnDepth: plan.body.depth,
    spawnLineage: [...(entry.spawnLineage ?? []), agentId],
    ...(plan.isForked ? { forkedFromParent: true } : {}),
  };
}
