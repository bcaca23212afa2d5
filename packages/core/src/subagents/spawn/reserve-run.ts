import type { RunRow } from "@banyan/plugin-sdk/store";
import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { commitUntilKnown } from "../../ports/commit-step.ts";
import { formatRunBody } from "../../runs/run-body.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { buildSpawnDedupe } from "./spawn-asker.ts";
import type { SpawnDraft } from "./spawn-draft.ts";
import { refuseSpawn, type SpawnRefusal } from "./spawn-refusal.ts";

/**
 * T1a: the run stands as `reserved`, with its frozen route and the ids of all that may be opened for it, before anything
 * is. `standing`: this very call has spawned before.
 */
export async function reserveRun(
  { asker, world, plan }: SpawnDraft,
  parts: SubagentParts,
): Promise<SpawnRefusal | { readonly kind: "reserved" | "standing"; readonly run: RunRow }> {
  const { store, ports, signal, agents, limits } = parts;
  const rules = getSubagentRules(agents[world.facts.requester.agentId]);
  ports.faultPoint("T1a.before");
  const reserve = {
    step: "reserve_run",
    run: {
      runId: plan.runId,
      dedupe: buildSpawnDedupe(asker),
      childSessionKey: plan.childSessionKey,
      requesterSessionKey: asker.sessionKey,
      rootSessionKey: world.rootSessionKey,
      ...(asker.runId === undefined ? {} : { parentRunId: asker.runId }),
      spawnSeq: asker.itemSeq,
      isAwaited: plan.isAwaited,
      route: asker.address,
      body: formatRunBody(plan.body),
    },
    mostChildren: rules.maxChildrenPerAgent,
    mostTreeRuns: limits.maxTreeRuns,
  } as const;
  // One that stands and is not known of would count until the next start.
  const reserved = await commitUntilKnown(store, reserve, ports, signal);
  ports.faultPoint("T1a.after");
  if (reserved.status === "refused")
    return explainRefusal(reserved.reason, rules.maxChildrenPerAgent, limits.maxTreeRuns);
  return { kind: reserved.status === "done" ? "reserved" : "standing", run: reserved.run };
}

/** Counted again in the transaction: others may have spawned since it was decided. */
function explainRefusal(reason: string, mostChildren: number, mostTreeRuns: number): SpawnRefusal {
  switch (reason) {
    case "children":
      return refuseSpawn(
        "forbidden",
        "children_reached",
        `${mostChildren} of this session are at work, and more are not allowed; wait until one is done`,
      );
    case "tree":
      return refuseSpawn(
        "forbidden",
        "tree_reached",
        `${mostTreeRuns} are at work in this tree, and more are not allowed; wait until one is done`,
      );
    case "ended":
      return refuseSpawn("forbidden", "requester_ended", "the run that asks has ended meanwhile; end your turn");
    default:
      return refuseSpawn("error", "requester_gone", "the session that asks is gone; end your turn");
  }
}
