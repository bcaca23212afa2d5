import type { RunRow } from "@banyan/store";
import { getSubagentRules } from "../../../config/shapes/subagent-rules.ts";
import { commitUntilKnown } from "../../../ports/commit-step.ts";
import { formatRunBody } from "../../../runs/run-body.ts";
import { parseSessionRow } from "../../../sessions/session-record.ts";
import type { SubagentParts } from "../../subagent-parts.ts";
import { readLineage } from "../../visibility/read-lineage.ts";
import { buildSpawnDedupe } from "../spawn-asker.ts";
import type { SpawnDraft } from "../spawn-draft.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";
import { undoReservation } from "../undo-spawn.ts";
import { refuseGone } from "./requester.ts";

const LOST_TURN = "another process runs the turn that asks by now; end your turn";

export type Reservation =
  | SpawnRefusal
  | { readonly kind: "reserved"; readonly run: RunRow }
  /** This very call has spawned before. */
  | { readonly kind: "standing"; readonly run: RunRow }
  /** What the spawn was decided on does not hold any more; nothing of it stands, so it begins anew. */
  | { readonly kind: "again" };

/**
 * Stage 6, T1a: the run stands as `reserved`, under its child's new key, with its frozen route and the ids of all that
 * may be opened for it, before anything is.
 */
export async function reserveRun(draft: SpawnDraft, parts: SubagentParts): Promise<Reservation> {
  const reserved = await commitReservation(draft, parts);
  if (reserved.kind === "refused") return reserved;
  const { kind, run } = reserved;
  if (kind === "standing" && run.state !== "reserved") return reserved;
  // One that stands was left by an earlier attempt, which may have opened something.
  if (kind === "reserved" && !(await hasRootMoved(draft, parts))) return reserved;
  await undoReservation(run, parts);
  return { kind: "again" };
}

async function commitReservation(
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
      route: plan.requester.address,
      body: formatRunBody(plan.body),
    },
    mostChildren: rules.maxChildrenPerAgent,
    mostTreeRuns: limits.maxTreeRuns,
    ...(asker.epoch === undefined ? {} : { epoch: asker.epoch }),
  } as const;
  // One that stands and is not known of would count until the next start.
  const reserved = await commitUntilKnown(store, reserve, ports, signal);
  ports.faultPoint("T1a.after");
  if (reserved.status === "fenced") return refuseSpawn("error", "requester_ended", LOST_TURN);
  if (reserved.status === "refused")
    return explainRefusal(reserved.reason, rules.maxChildrenPerAgent, limits.maxTreeRuns);
  return { kind: reserved.status === "done" ? "reserved" : "standing", run: reserved.run };
}

/** The tree's top may have gone on under another key before the reservation stood; from then on that follows by itself. */
async function hasRootMoved({ world }: SpawnDraft, { store }: SubagentParts): Promise<boolean> {
  const { requester, rootSessionKey } = world;
  if (rootSessionKey === requester.key) return false;
  const row = await store.read.session(requester.key);
  return row !== undefined && (await readLineage(parseSessionRow(row), store.read)).at(-1) !== rootSessionKey;
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
      return refuseSpawn("forbidden", "requester_ended", "the run that asks has ended; end your turn");
    default:
      return refuseGone();
  }
}
