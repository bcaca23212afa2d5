import type { RunState } from "../../run-rows.ts";
import { type ModelState, modelTurnLanes } from "./model-state.ts";
import { chance, type ModelRead, pick, type RandomSource } from "./random-source.ts";

const STATES: readonly (readonly RunState[])[] = [["reserved"], ["running", "waiting"], ["ended"], []];

/** Questions about runs and what belongs to them. */
export function listRunReads(random: RandomSource, state: ModelState): readonly ModelRead[] {
  const limit = 1 + random(5);
  const key = pick(random, modelTurnLanes);
  const runId = state.runIds.length > 0 ? pick(random, state.runIds) : "no run";
  const dedupe = state.items.length > 0 ? pick(random, state.items).dedupe : "no item";
  const page = chance(random, 40) ? { limit, newest: true } : { limit };
  const afterRunId = chance(random, 40) ? { afterRunId: runId } : {};
  const states = chance(random, 40) ? { states: pick(random, STATES) } : {};
  const unsettled = chance(random, 30) ? { unsettled: true as const } : {};
  return [
    (read) => read.run(runId),
    (read) => read.runByDedupe(`call ${runId}`),
    (read) => read.runs({ ...page, ...afterRunId, ...states, ...unsettled }),
    (read) => read.runs({ ...page, ...afterRunId, ...states, requesterSessionKey: key }),
    (read) => read.runs({ ...page, ...states, childSessionKey: key }),
    (read) => read.runs({ ...page, ...states, rootSessionKey: key }),
    (read) => read.runs({ ...page, ...unsettled, ...states, toldSessionKey: key }),
    (read) => read.runs({ ...page, ...states, ...afterRunId, parentRunId: runId }),
    (read) => read.unfinishedRuns({ requesterSessionKey: key, rootSessionKey: key }),
    (read) => read.timers({ limit }),
    (read) => read.bindings({ sessionKey: key }),
    (read) => read.itemByDedupe(dedupe),
    (read) => read.openItems({ lane: key, limit }),
    (read) => read.openItems({ lane: key, kinds: ["completion", "message"], limit }),
    (read) => read.session(key),
  ];
}
