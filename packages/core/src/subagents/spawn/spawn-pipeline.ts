/**
 * A spawn: its nineteen stages, from top to bottom, each in a file of its own below `stages/`. What is pure is decided
 * before anything is written, so that nothing is opened for a spawn that is then refused: stage 6 stands behind 11. From
 * then on the reservation holds the ids of all that is opened, and whatever fails is undone by them from the last stage
 * to the first, by this process or the next one (`undoReservation`).
 */
import type { RunRow } from "@banyan/store";
import type { SubagentParts } from "../subagent-parts.ts";
import { checkForeignSession } from "./foreign/check-foreign.ts";
import { openOrUndo } from "./open-or-undo.ts";
import { readSpawnWorld } from "./read-spawn-facts.ts";
import { checkRealWorkspace } from "./real-workspace.ts";
import { buildSpawnDedupe, type SpawnAsker } from "./spawn-asker.ts";
import { buildSpawnCase } from "./spawn-case.ts";
import type { PreparedSpawn, ReadySpawn, SpawnAnswer, SpawnDraft } from "./spawn-draft.ts";
import type { SpawnFacts } from "./spawn-facts.ts";
import { buildSpawnPlan, type SpawnPlan } from "./spawn-plan.ts";
import type { SpawnRefusal } from "./spawn-refusal.ts";
import { parseSpawnRequest, type SpawnRequest } from "./spawn-request.ts";
import { acceptRun, composeAcceptance } from "./stages/acceptance.ts";
import { checkActiveChildren } from "./stages/active-children.ts";
import { checkAllowList } from "./stages/allow-list.ts";
import { answerRefusal, answerStanding, buildAnswer } from "./stages/answer.ts";
import { writeAttachments } from "./stages/attachments.ts";
import { resolveChildDepth } from "./stages/child-depth.ts";
import { checkDepth } from "./stages/depth.ts";
import { buildLineage } from "./stages/lineage.ts";
import { resolveModel } from "./stages/model.ts";
import { validateParameters } from "./stages/parameters.ts";
import { refuseGone, resolveRequester } from "./stages/requester.ts";
import { reserveRun } from "./stages/reservation.ts";
import { resolveRole } from "./stages/role.ts";
import { checkSandbox } from "./stages/sandbox.ts";
import { callSpawnedHook } from "./stages/spawned-hook.ts";
import { buildChildPrompt } from "./stages/system-prompt.ts";
import { resolveThinking } from "./stages/thinking.ts";
import { bindThread } from "./stages/thread-binding.ts";
import { armTimers } from "./stages/timers.ts";
import { checkThreadAvailability } from "./thread-availability.ts";
import { undoReservation } from "./undo-spawn.ts";

export type SpawnDecision = SpawnRefusal | { readonly kind: "planned"; readonly plan: SpawnPlan };

/** The pure stages. Total: whatever is asked, it answers. */
export function decideSpawn(request: SpawnRequest, facts: SpawnFacts): SpawnDecision {
  const spawn = buildSpawnCase(request, facts);
  const invalid = validateParameters(spawn); // 1 validate parameters
  if (invalid !== undefined) return invalid;
  const requester = resolveRequester(spawn); // 2 resolve the requester
  const forbidden =
    checkDepth(spawn) ?? // 3 depth
    checkActiveChildren(spawn) ?? // 4 active children
    checkAllowList(spawn) ?? // 5 agent allow-list
    checkSandbox(spawn) ?? // 7 sandbox
    checkForeignSession(spawn);
  if (forbidden !== undefined) return forbidden;
  const depth = resolveChildDepth(spawn); // 8 child depth
  const role = resolveRole(spawn, depth); // 9 role and control scope
  const model = resolveModel(spawn); // 10 model
  const thinking = resolveThinking(spawn); // 11 thinking
  // As much of 12 as can be known while nothing is open.
  const unavailable = checkThreadAvailability(spawn, requester);
  if (unavailable !== undefined) return unavailable;
  return { kind: "planned", plan: buildSpawnPlan(spawn, { requester, depth, ...role, model, thinking }) };
}

/**
 * Up to the acceptance, which is the caller's to write. First the form of what is asked is judged, and all that the pure
 * stages look at is read. The same call never spawns twice.
 */
export async function prepareSpawn(args: unknown, asker: SpawnAsker, parts: SubagentParts): Promise<PreparedSpawn> {
  const parsed = parseSpawnRequest(args);
  if (parsed.kind === "refused") return answerRefusal(parsed);
  const world = await readSpawnWorld(parsed.request, asker, parts);
  if (world === undefined) return answerRefusal(refuseGone());
  const decided = decideSpawn(parsed.request, world.facts);
  if (decided.kind === "refused") return answerUnspawned(decided, asker, parts);
  const outside = await checkRealWorkspace(decided.plan);
  if (outside !== undefined) return answerUnspawned(outside, asker, parts);

  const draft: SpawnDraft = { asker, world, plan: decided.plan };
  const reserved = await reserveRun(draft, parts); // 6 new child key and reservation
  if (reserved.kind === "refused") return answerRefusal(reserved);
  if (reserved.kind === "standing") return answerStanding(reserved.run, parts.store.read);
  if (reserved.kind === "again") return prepareSpawn(args, asker, parts);
  const opened = await openOrUndo(draft, reserved.run, () => openChild(draft, reserved.run, parts), parts);
  return opened.kind === "refused" ? answerRefusal(opened) : opened;
}

/** Behind the reservation: all that is opened for the child, and what its acceptance is to write. */
async function openChild(draft: SpawnDraft, run: RunRow, parts: SubagentParts): Promise<ReadySpawn | SpawnRefusal> {
  const thread = await bindThread(draft, parts); // 12 thread binding
  if (thread.kind === "refused") return thread;
  await writeAttachments(draft, parts); // 13 attachments
  const prompt = buildChildPrompt(draft); // 14 child system prompt
  const lineage = buildLineage(draft); // 15 lineage
  const { binding } = thread;
  const { createdAtMs } = run;
  const accept = await composeAcceptance(draft, { binding, prompt, lineage, createdAtMs }, parts);
  return { kind: "ready", draft, run, binding, accept };
}

/** The way of the tool: the acceptance is a step of its own. */
export async function spawnChild(args: unknown, asker: SpawnAsker, parts: SubagentParts): Promise<SpawnAnswer> {
  const spawn = await prepareSpawn(args, asker, parts);
  if (spawn.kind === "answered") return spawn.answer;
  const unaccepted = await acceptRun(spawn, parts); // 16 accept the run and start the child
  if (unaccepted !== undefined) {
    await undoReservation(spawn.run, parts);
    return unaccepted;
  }
  const answer = settleSpawn(spawn, parts);
  parts.ports.faultPoint("spawned");
  return answer;
}

/** Once the acceptance is written, by a step of its own or by a command's. */
export function settleSpawn(spawn: ReadySpawn, parts: SubagentParts): SpawnAnswer {
  armTimers(spawn, parts); // 17 arm timers, wake the lane
  callSpawnedHook(spawn, parts); // 18 hook subagent_spawned
  return buildAnswer(spawn); // 19 answer
}

/** A call that has spawned is answered with what it has spawned, also where it would be refused by now. */
async function answerUnspawned(
  refusal: SpawnRefusal,
  asker: SpawnAsker,
  { store }: SubagentParts,
): Promise<PreparedSpawn> {
  const run = await store.read.runByDedupe(buildSpawnDedupe(asker));
  if (run === undefined || run.state === "reserved") return answerRefusal(refusal);
  return answerStanding(run, store.read);
}
