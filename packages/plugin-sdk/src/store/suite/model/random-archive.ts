import type { RunRow, RunState } from "../../run-rows.ts";
import type { ArchiveRunStep, ArchiveSessionStep, EnqueueStep } from "../../run-steps.ts";
import type { Store } from "../../store.ts";
import { type ModelState, modelChildLanes, modelTurnLanes, takeId } from "./model-state.ts";
import { buildItem } from "./random-row.ts";
import { buildAsker, buildFired, buildTimers, pickRun } from "./random-run.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

const UNFINISHED: readonly RunState[] = ["reserved", "accepted", "running", "waiting"];
const INNER_KINDS = ["nested", "system", "completion"] as const;

/** One that nothing keeps from being put away, mostly. */
export async function buildArchiveRun(random: RandomSource, store: Store): Promise<ArchiveRunStep> {
  const quiet = await listQuietRuns(store);
  const isQuiet = quiet.length > 0 && chance(random, 70);
  const { runId } = isQuiet ? pick(random, quiet) : await pickRun(random, store, { states: ["ended"] });
  return { step: "archive_run", runId, timers: buildTimers(random), ...(await buildFired(random, store)) };
}

export function buildArchiveSession(random: RandomSource, state: ModelState): ArchiveSessionStep {
  const key = chance(random, 5) ? "agent:nobody:main" : pick(random, [...modelChildLanes, ...modelTurnLanes]);
  return {
    step: "archive_session",
    key,
    audit: { actor: "operator", action: "put away", detail: takeId(state, "audit") },
  };
}

async function listQuietRuns(store: Store): Promise<readonly RunRow[]> {
  const ended = await store.read.runs({ states: ["ended"], newest: true, limit: 30 });
  const unsettled = await store.read.deliveries({ states: ["pending", "sending", "stuck"], limit: 1_000 });
  const told = new Set(unsettled.flatMap(({ runId, sessionKey }) => [runId, sessionKey]));
  const judged = await Promise.all(
    ended.map(async (run) => {
      const key = run.childSessionKey;
      const open = await store.read.openItems({ lane: key, limit: 1 });
      const others = await store.read.runs({ childSessionKey: key, states: UNFINISHED, limit: 1 });
      const children = await store.read.runs({ requesterSessionKey: key, states: UNFINISHED, limit: 1 });
      const completion = await store.read.itemByDedupe(`completion|${run.runId}`);
      const isRead = completion === undefined || completion.state === "done";
      const isQuiet = open.length + others.length + children.length === 0 && !told.has(run.runId) && !told.has(key);
      return isQuiet && isRead && run.archivedAtMs === undefined ? [run] : [];
    }),
  );
  return judged.flat();
}

/** For the run of the lane, where it has one. */
export async function buildEnqueue(random: RandomSource, state: ModelState, store: Store): Promise<EnqueueStep> {
  const lane = chance(random, 5) ? "agent:nobody:main" : pick(random, modelTurnLanes);
  const [run] = await store.read.runs({ childSessionKey: lane, newest: true, limit: 1 });
  const item = {
    ...buildItem(random, state, lane),
    kind: pick(random, INNER_KINDS),
    ...(run && chance(random, 60) ? { runId: run.runId } : {}),
    ...(chance(random, 20) ? { wake: "append" as const } : {}),
  };
  return { step: "enqueue", item, ...(await buildAsker(item.dedupe, store)) };
}
