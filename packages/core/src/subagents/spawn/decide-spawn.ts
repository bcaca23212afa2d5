/**
 * Whether and how a sub-agent is spawned, pure. The list is the order in which a spawn is refused; what is decided is
 * acted on elsewhere, so nothing is opened for a spawn that is then refused.
 */
import { buildSpawnCase, type SpawnStage } from "./spawn-case.ts";
import type { SpawnFacts } from "./spawn-facts.ts";
import { buildSpawnPlan, type SpawnPlan } from "./spawn-plan.ts";
import type { SpawnRefusal } from "./spawn-refusal.ts";
import type { SpawnRequest } from "./spawn-request.ts";
import {
  checkAgentId,
  checkAgentIdRequired,
  checkAttachmentShape,
  checkLaterFeature,
  checkMode,
  checkModel,
  checkThinking,
} from "./stages/check-parameters.ts";
import { checkChildren, checkDepth, checkTree } from "./stages/check-room.ts";
import { checkAllowList, checkSandbox, checkThread, checkWorkspace } from "./stages/check-target.ts";

const STAGES: readonly SpawnStage[] = [
  checkLaterFeature,
  checkAgentId,
  checkAgentIdRequired,
  checkMode,
  checkThinking,
  checkModel,
  checkAttachmentShape,
  checkDepth,
  checkChildren,
  checkTree,
  checkAllowList,
  checkWorkspace,
  checkSandbox,
  checkThread,
];

export type SpawnDecision = SpawnRefusal | { readonly kind: "planned"; readonly plan: SpawnPlan };

/** Total: whatever is asked, it answers. Counts are looked at again in the transaction that reserves the run. */
export function decideSpawn(request: SpawnRequest, facts: SpawnFacts): SpawnDecision {
  const spawn = buildSpawnCase(request, facts);
  for (const check of STAGES) {
    const refusal = check(spawn);
    if (refusal !== undefined) return refusal;
  }
  return { kind: "planned", plan: buildSpawnPlan(spawn) };
}
