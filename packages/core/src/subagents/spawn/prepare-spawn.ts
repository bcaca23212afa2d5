/**
 * A spawn, stage by stage:
 *    1 validate the parameters            `parseSpawnRequest`
 *    2 resolve the requester              `readSpawnWorld`
 *    3 depth · 4 active children · 5 agent allow-list · 7 sandbox · 8 child depth · 9 role and control scope · 10 model ·
 *      11 thinking                        `decideSpawn`, pure, before anything is written
 *    6 child key and reservation (T1a)    `reserveRun`
 *   12 thread binding                     `bindThread`
 *   13 attachments                        `writeAttachments`
 *   14 child system prompt · 15 lineage   `composeAccept`
 *   16 accept and start (T1)              the caller's step: `spawnChild`, or a command
 *   17 timers and lane · 18 hook          `onAccepted`
 *   19 answer                             `ReadySpawn.answer`
 * What a stage opens is undone from the last to the first where a later one fails.
 */
import type { SpawningRun, ThreadBinding } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/plugin-sdk/store";
import { openSpawnThread } from "../../bindings/open-spawn-thread.ts";
import { buildRequester } from "../../bindings/requester.ts";
import { pause } from "../../ports/pause.ts";
import { parseRunBody } from "../../runs/run-body.ts";
import { findSoonestMs } from "../../runs/run-timer.ts";
import { parseSessionRow } from "../../sessions/session-record.ts";
import { parseEntry } from "../../sessions/transcript.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { readLineage } from "../visibility/read-lineage.ts";
import { checkChildWorkspace } from "./child-workspace.ts";
import { composeAccept } from "./compose-accept.ts";
import { decideSpawn } from "./decide-spawn.ts";
import { copyForkEntries } from "./fork-context.ts";
import { materializeAttachments } from "./materialize-attachments.ts";
import { readSpawnWorld } from "./read-spawn-facts.ts";
import { reserveRun } from "./reserve-run.ts";
import { buildSpawnDedupe, type SpawnAsker } from "./spawn-asker.ts";
import type { PreparedSpawn, ReadySpawn, SpawnAnswer, SpawnDraft } from "./spawn-draft.ts";
import { refuseSpawn, type SpawnRefusal } from "./spawn-refusal.ts";
import { parseSpawnRequest } from "./spawn-request.ts";
import { undoReservation } from "./undo-spawn.ts";

const FORK_ENTRIES = 10_000;
const TASK_CHARS = 200;
/** A platform is asked with a limit of its own; a disk is not. */
const OPENING_LIMIT_MS = 60_000;

export async function prepareSpawn(args: unknown, asker: SpawnAsker, parts: SubagentParts): Promise<PreparedSpawn> {
  const parsed = parseSpawnRequest(args);
  if (parsed.kind === "refused") return answerRefusal(parsed);
  const world = await readSpawnWorld(parsed.request, asker, parts);
  if (world === undefined) {
    return answerRefusal(refuseSpawn("error", "requester_gone", "the session that asks is gone; end your turn"));
  }
  const decided = decideSpawn(parsed.request, world.facts);
  if (decided.kind === "refused") return (await findStanding(asker, parts)) ?? answerRefusal(decided);
  const outside = await checkChildWorkspace(decided.plan);
  if (outside !== undefined) return (await findStanding(asker, parts)) ?? answerRefusal(outside);
  const draft: SpawnDraft = { asker, world, plan: decided.plan };
  const reserved = await reserveRun(draft, parts);
  if (reserved.kind === "refused") return answerRefusal(reserved);
  if (reserved.kind === "standing") return answerStanding(reserved.run, asker, args, parts);
  if (await hasRootMoved(draft, parts)) {
    await undoReservation(reserved.run, parts);
    return prepareSpawn(args, asker, parts);
  }
  return openPlaces(draft, reserved.run, parts);
}

/** The tree's top may have gone on under another key before the reservation stood; from then on that follows by itself. */
async function hasRootMoved({ world }: SpawnDraft, { store }: SubagentParts): Promise<boolean> {
  const { requester, rootSessionKey } = world;
  if (rootSessionKey === requester.key) return false;
  const row = await store.read.session(requester.key);
  return row !== undefined && (await readLineage(parseSessionRow(row), store.read)).at(-1) !== rootSessionKey;
}

/** Stages 12 to 15, each undone where a later one fails, or where they do not come to their end in time. */
async function openPlaces(draft: SpawnDraft, run: RunRow, parts: SubagentParts): Promise<PreparedSpawn> {
  const { ports, signal } = parts;
  const opening = openEach(draft, run, parts);
  let isLate = false;
  try {
    if (!opensOutside(draft)) return await opening;
    const inTime = new AbortController();
    const late = pause(ports.clock, OPENING_LIMIT_MS, AbortSignal.any([inTime.signal, signal])).then(
      () => "late" as const,
    );
    const opened = await Promise.race([opening, late]).finally(() => inTime.abort());
    if (opened !== "late") return opened;
    isLate = true;
    throw new Error(`its places did not open within ${OPENING_LIMIT_MS / 1_000} s`);
  } catch (error) {
    ports.log.error({ err: error, runId: run.runId }, "a spawn failed");
    await undoReservation(run, parts);
    const undoAgain = () => undoReservation(run, parts);
    // What was late may open something yet.
    if (isLate) void opening.then(undoAgain, undoAgain);
    const reason = error instanceof Error ? error.message : String(error);
    return answerRefusal(refuseSpawn("error", "spawn_failed", `${ports.scrub(reason)}; try again`));
  }
}

/** Whether a platform or a disk is asked, which may take their time. */
function opensOutside({ plan }: SpawnDraft): boolean {
  return plan.body.threadRequested || plan.attachments.length > 0;
}

async function openEach(draft: SpawnDraft, run: RunRow, parts: SubagentParts): Promise<PreparedSpawn> {
  const { ports } = parts;
  const thread = await bindThread(draft, parts);
  if (thread.kind === "refused") {
    await undoReservation(run, parts);
    return answerRefusal(thread);
  }
  await writeAttachments(draft, parts);
  const accept = composeAccept(draft, {
    binding: thread.binding,
    entries: await readForkEntries(draft, parts),
    sessionId: ports.createUuid(),
    now: ports.clock.now(),
    threads: parts.threads,
  });
  return buildReady(draft, run, { accept, binding: thread.binding }, parts);
}

/** Stage 12. */
async function bindThread(
  draft: SpawnDraft,
  { hooks }: SubagentParts,
): Promise<SpawnRefusal | { readonly kind: "open"; readonly binding: ThreadBinding | undefined }> {
  if (!draft.plan.body.threadRequested) return { kind: "open", binding: undefined };
  const opened = await openSpawnThread(hooks, buildSpawningRun(draft));
  if (opened.kind === "bound") return { kind: "open", binding: opened.binding };
  const { channel } = draft.world.facts;
  if (opened.kind === "refused")
    return { kind: "refused", status: "error", code: "thread_unavailable", error: opened.error };
  const problem = `no channel plugin binds threads on ${channel ?? "this channel"}; use mode run without thread`;
  return refuseSpawn("error", "thread_unavailable", problem);
}

/** Stage 13. */
async function writeAttachments({ plan }: SpawnDraft, { ports }: SubagentParts): Promise<void> {
  const { attachments, body, runId } = plan;
  if (attachments.length === 0) return;
  ports.faultPoint("attachments.before");
  await materializeAttachments({ workspaceDir: body.workspaceDir, runId }, attachments);
  ports.faultPoint("attachments.after");
}

async function readForkEntries({ world, plan }: SpawnDraft, { store, ports }: SubagentParts) {
  if (!plan.isForked) return [];
  const { sessionId } = world.requester.entry;
  const rows = await store.read.entries({ sessionId, limit: FORK_ENTRIES, newest: true });
  return copyForkEntries(rows.map(parseEntry), ports.createId);
}

function buildSpawningRun({ asker, plan }: SpawnDraft): SpawningRun {
  const { runId, childSessionKey, body } = plan;
  const label = body.label ?? body.taskName;
  return {
    runId,
    childSessionKey,
    agentId: body.agentId,
    ...(label === undefined ? {} : { label }),
    task: body.task.trim().slice(0, TASK_CHARS).toWellFormed(),
    mode: body.mode,
    threadRequested: body.threadRequested,
    ...(body.bindingId === undefined ? {} : { bindingId: body.bindingId }),
    requester: buildRequester(asker.address),
    requesterSessionKey: asker.sessionKey,
  };
}

function buildReady(
  draft: SpawnDraft,
  run: RunRow,
  { accept, binding }: Pick<ReadySpawn, "accept"> & { readonly binding: ThreadBinding | undefined },
  parts: SubagentParts,
): ReadySpawn {
  const { plan } = draft;
  const { runId, childSessionKey, body, notes } = plan;
  return {
    kind: "ready",
    accept,
    body,
    answer: {
      status: "accepted",
      runId,
      childSessionKey,
      mode: body.mode,
      ...(binding === undefined ? {} : { thread: binding.address }),
      ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
    },
    onAccepted() {
      parts.wakeTimers(findSoonestMs(accept.timers));
      parts.wakeLanes([childSessionKey]);
      const spawned = { ...buildSpawningRun(draft), ...(binding === undefined ? {} : { binding }) };
      void parts.hooks.subagent_spawned.call(spawned);
    },
    undo: () => undoReservation(run, parts),
  };
}

/** A call that has spawned is answered with what it has spawned, also where it would be refused by now. */
async function findStanding(asker: SpawnAsker, parts: SubagentParts): Promise<PreparedSpawn | undefined> {
  const run = await parts.store.read.runByDedupe(buildSpawnDedupe(asker));
  if (run === undefined || run.state === "reserved") return undefined;
  return { kind: "answered", answer: await answerRun(run, parts), run };
}

/** A reservation that an earlier attempt left is undone, and the spawn begins anew. */
async function answerStanding(
  run: RunRow,
  asker: SpawnAsker,
  args: unknown,
  parts: SubagentParts,
): Promise<PreparedSpawn> {
  if (run.state !== "reserved") return { kind: "answered", answer: await answerRun(run, parts), run };
  await undoReservation(run, parts);
  return prepareSpawn(args, asker, parts);
}

async function answerRun(run: RunRow, { store }: SubagentParts): Promise<SpawnAnswer> {
  const { runId, childSessionKey } = run;
  const { mode, bindingId } = parseRunBody(run.body);
  const bindings = bindingId === undefined ? [] : await store.read.bindings({ sessionKey: childSessionKey });
  const thread = bindings.find(({ id }) => id === bindingId)?.address;
  return { status: "accepted", runId, childSessionKey, mode, ...(thread === undefined ? {} : { thread }) };
}

function answerRefusal({ status, code, error }: SpawnRefusal): PreparedSpawn {
  return { kind: "answered", answer: { status, code, error } };
}
