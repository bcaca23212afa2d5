import type { CommitTurnStep, ReleaseStep, ToolResultStep } from "../../steps.ts";
import type { Store } from "../../store.ts";
import { type ModelState, modelLanes } from "./model-state.ts";
import { buildDeliveries, buildEntries, buildSession } from "./random-row.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

/** A lane that runs, where there is one: others are only there to be fenced. */
async function pickLane(random: RandomSource, store: Store) {
  const rows = await Promise.all(modelLanes.map((lane) => store.read.lane(lane)));
  const running = rows.filter(({ owner }) => owner !== undefined);
  return pick(random, running.length > 0 && !chance(random, 10) ? running : rows);
}

function offEpoch(random: RandomSource, epoch: number): number {
  return chance(random, 10) ? Math.max(0, epoch + pick(random, [-1, 1])) : epoch;
}

export async function buildToolResult(random: RandomSource, state: ModelState, store: Store): Promise<ToolResultStep> {
  const { lane, epoch, active } = await pickLane(random, store);
  const session = await store.read.session(lane);
  return {
    step: "tool_result",
    lane,
    epoch: offEpoch(random, epoch),
    sessionId: session?.sessionId ?? `none of ${lane}`,
    itemSeq: active[0] ?? state.items[0]?.seq ?? 0,
    entries: buildEntries(random, state, 2),
  };
}

/** At most one thing is wrong with it, so that drivers need not agree on which fault they name. */
export async function buildCommitTurn(random: RandomSource, state: ModelState, store: Store): Promise<CommitTurnStep> {
  const { lane, epoch, active } = await pickLane(random, store);
  const fault = pick(random, ["none", "none", "none", "epoch", "items", "revision"] as const);
  const present = await store.read.session(lane);
  const own = state.items.filter((item) => item.lane === lane || fault === "items").map(({ seq }) => seq);
  const more = own.length > 0 && (fault === "items" || chance(random, 30)) ? [pick(random, own)] : [];
  const revision = (present?.revision ?? 0) + (fault === "revision" ? 1 : 0);
  return {
    step: "commit_turn",
    lane,
    epoch: fault === "epoch" ? epoch + 1 : epoch,
    items: fault === "revision" ? active : [...active, ...more],
    itemState: chance(random, 15) ? "quarantined" : "done",
    entries: buildEntries(random, state, 3),
    session: buildSession(random, state, lane, Math.max(1, revision), present?.sessionId ?? `none of ${lane}`),
    deliveries: buildDeliveries(random, state, 2),
  };
}

export async function buildRelease(random: RandomSource, store: Store): Promise<ReleaseStep> {
  const { lane, epoch } = await pickLane(random, store);
  return { step: "release", lane, epoch: offEpoch(random, epoch), giveBackAttempt: chance(random, 50) };
}
