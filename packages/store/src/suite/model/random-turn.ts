import type { Store } from "../../store.ts";
import type {
  AnswerEffect,
  AnswerStep,
  CommitTurnStep,
  ReleaseStep,
  SuspicionStep,
  ToolResultStep,
} from "../../turn-steps.ts";
import { type ModelState, modelChildLanes, modelTurnLanes, takeId } from "./model-state.ts";
import { buildDeliveries, buildEntries, buildSession } from "./random-row.ts";
import { buildFired, buildTimers } from "./random-run.ts";
import { buildSpeeches, buildTurnRun } from "./random-run-end.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

/** A lane that runs, where there is one, often one that works for a run: others are only there to be fenced. */
async function pickLane(random: RandomSource, state: ModelState, store: Store) {
  const lanes = [...modelTurnLanes, ...state.movedKeys.slice(-5)];
  const rows = await Promise.all(lanes.map((lane) => store.read.lane(lane)));
  const running = rows.filter(({ owner }) => owner !== undefined);
  const children = running.filter(({ lane }) => modelChildLanes.some((child) => child === lane));
  if (children.length > 0 && chance(random, 50)) return pick(random, children);
  return pick(random, running.length > 0 && !chance(random, 10) ? running : rows);
}

function offEpoch(random: RandomSource, epoch: number): number {
  return chance(random, 10) ? Math.max(0, epoch + pick(random, [-1, 1])) : epoch;
}

export async function buildToolResult(random: RandomSource, state: ModelState, store: Store): Promise<ToolResultStep> {
  const { lane, epoch, active } = await pickLane(random, state, store);
  const session = await store.read.session(lane);
  return {
    step: "tool_result",
    lane,
    epoch: offEpoch(random, epoch),
    sessionId: session?.sessionId ?? `none of ${lane}`,
    itemSeq: active[0] ?? state.items[0]?.seq ?? 0,
    entries: buildEntries(random, state, 2),
    ...(chance(random, 60) ? { isNote: true } : {}),
    ...(chance(random, 30)
      ? {
          deliveries: buildDeliveries(random, state, 2),
          arm: buildTimers(random, active),
          audit: [{ actor: "an agent", action: "tool-done", detail: takeId(state, "audit") }],
        }
      : {}),
  };
}

export async function buildAnswer(random: RandomSource, state: ModelState, store: Store): Promise<AnswerStep> {
  const effect = await buildAnswerEffect(random, state, store);
  return { step: "answer", ...effect, ...(await buildFired(random, store)) };
}

/** To the turn that runs, mostly; else to any item, open or not. */
export async function buildAnswerEffect(random: RandomSource, state: ModelState, store: Store): Promise<AnswerEffect> {
  const { lane, active } = await pickLane(random, state, store);
  const session = await store.read.session(lane);
  const any = state.items.length > 0 ? pick(random, state.items).seq : 0;
  const isOld = chance(random, 30) && state.entryIds.length > 0;
  const id = isOld ? pick(random, state.entryIds) : takeId(state, "entry");
  if (!isOld) state.entryIds.push(id);
  return {
    itemSeq: chance(random, 70) ? (active[0] ?? any) : any,
    sessionId: session?.sessionId ?? `none of ${lane}`,
    entry: { id, body: JSON.stringify({ id, kind: "answer" }) },
    arm: buildTimers(random, state.items.map(({ seq }) => seq).slice(-9)),
  };
}

/** At most one thing is wrong with it, so that drivers need not agree on which fault they name. */
export async function buildCommitTurn(random: RandomSource, state: ModelState, store: Store): Promise<CommitTurnStep> {
  const { lane, epoch, active } = await pickLane(random, state, store);
  const fault = pick(random, ["none", "none", "none", "none", "none", "epoch", "items", "revision"] as const);
  const present = await store.read.session(lane);
  const open = await store.read.openItems({ lane, limit: 99 });
  const waiting = open.filter((item) => item.state === "waiting" && item.kind !== "command");
  const own = (fault === "items" ? state.items : waiting).map(({ seq }) => seq);
  const more = own.length > 0 && (fault === "items" || chance(random, 30)) ? [pick(random, own)] : [];
  const revision = (present?.revision ?? 0) + (fault === "revision" ? 1 : 0);
  const first = open.find(({ seq }) => active.includes(seq));
  const worked = first?.runId === undefined ? undefined : await store.read.run(first.runId);
  const isWork = fault === "none" && worked !== undefined && chance(random, worked.state === "ended" ? 10 : 90);
  return {
    step: "commit_turn",
    lane,
    epoch: fault === "epoch" ? epoch + 1 : epoch,
    items: fault === "revision" ? active : [...active, ...more],
    itemState: chance(random, 15) ? "quarantined" : "done",
    entries: buildEntries(random, state, 3),
    session: buildSession(random, state, lane, Math.max(1, revision), present?.sessionId ?? `none of ${lane}`),
    deliveries: buildDeliveries(random, state, 2),
    ...(isWork ? { run: await buildTurnRun(random, state, store, worked, lane) } : {}),
    ...(fault === "none" ? await buildSpeeches(random, store) : {}),
  };
}

export async function buildRelease(random: RandomSource, state: ModelState, store: Store): Promise<ReleaseStep> {
  const { lane, epoch } = await pickLane(random, state, store);
  return { step: "release", lane, epoch: offEpoch(random, epoch), giveBackAttempt: chance(random, 50) };
}

/** Of a turn that shares its next death with what waits, or that is cleared. */
export async function buildSuspicion(random: RandomSource, state: ModelState, store: Store): Promise<SuspicionStep> {
  const { lane, epoch } = await pickLane(random, state, store);
  const open = await store.read.openItems({ lane, limit: 99 });
  const items = [...open, ...state.items.slice(-2)].map(({ seq }) => seq);
  const change = chance(random, 25) ? { isCleared: true as const } : { shared: items.filter(() => chance(random, 60)) };
  return { step: "suspicion", lane, epoch: offEpoch(random, epoch), ...change };
}
