import assert from "node:assert/strict";
import type { StepResults } from "../../results.ts";
import type { Step } from "../../steps.ts";
import { sampleDays } from "../sample-step.ts";
import { dumpStore } from "../store-dump.ts";
import {
  type ModelState,
  type ModelStores,
  modelAccounts,
  modelAddresses,
  modelCodes,
  modelNewAddresses,
  modelPeers,
  modelTurnLanes,
  noteItem,
  noteStep,
} from "./model-state.ts";
import { buildArchiveRun, buildArchiveSession, buildEnqueue } from "./random-archive.ts";
import { buildAnchor, buildAttempt, buildOperatorWord, buildSettle } from "./random-delivery.ts";
import { buildClaim, buildCommand, buildReceive } from "./random-input.ts";
import { buildRead } from "./random-read.ts";
import { buildMigrateChat, buildRekey, buildSetLinks, buildSettlePairing } from "./random-route.ts";
import { buildAcceptStep, buildAnnounce, buildBind, buildReserve, buildSetTimers, buildUndo } from "./random-run.ts";
import { buildEndRuns, listInnerItems } from "./random-run-end.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";
import { buildAnswer, buildCommitTurn, buildRelease, buildSuspicion, buildToolResult } from "./random-turn.ts";
import { buildAppendEntries, buildPrune, buildRecover, buildWriteSession } from "./random-upkeep.ts";

const REPEATS_KEPT = 12;

/** One step, or one read, decided by `random` and put to both stores, which must answer alike. */
export async function applyRandomStep(random: RandomSource, state: ModelState, stores: ModelStores): Promise<void> {
  const [reference, driver] = stores;
  if (chance(random, 15)) {
    const read = buildRead(random, state);
    const first = await read(reference.read, (number) => number);
    state.twins.assertTwins(first, await read(driver.read, state.twins.find));
    return;
  }
  const step = await decideStep(random, state, stores);
  const first = sortWakes(await reference.commit(step));
  const second = sortWakes(await driver.commit(toTwin(state, step)));
  try {
    state.twins.assertTwins(first, second);
  } catch (error) {
    const trace = JSON.stringify(
      { reference: first, driver: second, step, before: state.sent.slice(-5) },
      undefined,
      1,
    );
    throw new assert.AssertionError({ message: `The stores answer "${step.step}" differently: ${error}\n${trace}` });
  }
  noteStep(state, step, first);
  await noteInnerItems(state, step, stores);
}

/** Learns which `seq` each store gave to what it did not name in its answer. */
async function noteInnerItems(state: ModelState, step: Step, [reference, driver]: ModelStores): Promise<void> {
  for (const item of listInnerItems(step)) {
    const row = await reference.read.itemByDedupe(item.dedupe);
    state.twins.assertTwins(row, await driver.read.itemByDedupe(item.dedupe));
    if (row) noteItem(state, item, row.seq);
  }
}

/** Everything that both stores can say must be alike. */
export async function assertStoresAlike(state: ModelState, [reference, driver]: ModelStores): Promise<void> {
  const lanes = [...modelTurnLanes, ...state.movedKeys, "", "agent:nobody:main"];
  const scope = {
    lanes,
    sessionIds: state.sessionIds,
    addresses: [...modelAddresses, ...modelNewAddresses],
    accounts: modelAccounts,
    days: sampleDays,
    linkDesks: modelCodes.flatMap((code) => modelPeers.map((peer) => ({ code, channel: "test", peer }))),
  };
  state.twins.assertTwins(await dumpStore(reference, scope), await dumpStore(driver, scope));
}

async function decideStep(random: RandomSource, state: ModelState, [store]: ModelStores): Promise<Step> {
  if (chance(random, 10) && state.sent.length > 0) return pick(random, state.sent.slice(-REPEATS_KEPT));
  const builders: readonly (readonly [weight: number, build: () => Step | Promise<Step>])[] = [
    [22, () => buildReceive(random, state, store)],
    [16, () => buildClaim(random, state, store)],
    [8, () => buildToolResult(random, state, store)],
    [4, () => buildAnswer(random, state, store)],
    [20, () => buildCommitTurn(random, state, store)],
    [3, () => buildRelease(random, state, store)],
    [4, () => buildSuspicion(random, state, store)],
    [10, () => buildCommand(random, state, store)],
    [10, () => buildAttempt(random, state, store)],
    [4, () => buildAnchor(random, state, store)],
    [12, () => buildSettle(random, state, store)],
    [6, () => buildOperatorWord(random, state, store)],
    [5, () => buildWriteSession(random, state, store)],
    [4, () => buildAppendEntries(random, state, store)],
    [2, () => buildRecover(random)],
    [4, () => buildSettlePairing(random, state, store)],
    [4, () => buildSetLinks(random, state, store)],
    [4, () => buildRekey(random, state, store)],
    [3, () => buildMigrateChat(random, state, store)],
    [12, () => buildReserve(random, state, store)],
    [12, () => buildAcceptStep(random, state, store)],
    [2, () => buildUndo(random, store)],
    [3, () => buildEndRuns(random, state, store)],
    [3, () => buildAnnounce(random, state, store)],
    [5, () => buildEnqueue(random, state, store)],
    [4, () => buildArchiveRun(random, store)],
    [2, () => buildArchiveSession(random, state)],
    [2, () => buildSetTimers(random, store)],
    [3, () => buildBind(random, state, store)],
    [1, () => buildPrune(random)],
  ];
  const drawn = builders.flatMap(([weight, build]) => Array<typeof build>(weight).fill(build));
  return pick(random, drawn)();
}

/** They are named in any order. */
function sortWakes(result: StepResults[keyof StepResults]): StepResults[keyof StepResults] {
  return "wakes" in result && result.wakes ? { ...result, wakes: result.wakes.toSorted() } : result;
}

/** The same step in the driver's numbers. */
function toTwin(state: ModelState, step: Step): Step {
  const { find } = state.twins;
  switch (step.step) {
    case "tool_result":
    case "answer":
      return { ...step, itemSeq: find(step.itemSeq) };
    case "claim":
      return step.itemSeq === undefined ? step : { ...step, itemSeq: find(step.itemSeq) };
    case "suspicion":
      return step.shared === undefined ? step : { ...step, shared: step.shared.map(find) };
    case "commit_turn":
      return { ...step, items: step.items.map(find) };
    case "command":
      return {
        ...step,
        seq: find(step.seq),
        ...(step.answer ? { answer: { ...step.answer, itemSeq: find(step.answer.itemSeq) } } : {}),
        ...(step.stop?.taken ? { stop: { ...step.stop, taken: step.stop.taken.map(find) } } : {}),
        ...(step.prioritize ? { prioritize: { ...step.prioritize, seq: find(step.prioritize.seq) } } : {}),
      };
    default:
      return step;
  }
}
