import assert from "node:assert/strict";
import type { StepResults } from "../../results.ts";
import type { Step } from "../../steps.ts";
import type { Store } from "../../store.ts";
import { type ModelState, noteItem, noteStep } from "./model-state.ts";
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
/** Of a hundred steps. */
const SENT_AGAIN = 30;

/** A store whose rows can be looked at. */
export interface ModelSubject {
  readonly store: Store;
  /** Another process goes on with the rows. */
  reopen(): Promise<void>;
  /** All that is stored: the same bytes where nothing was written in between. */
  dump(): Uint8Array;
  /** What is stored in two places that disagree, in words. */
  recount(): readonly string[];
}

/**
 * One step, or one read, decided by `random`. A refused or fenced step has changed nothing; a step that is sent again
 * answers `already`, or as it did, and changes nothing; what is derived from other rows agrees with them; another process
 * reads the same.
 */
export async function applyRandomStep(random: RandomSource, state: ModelState, subject: ModelSubject): Promise<void> {
  if (chance(random, 15)) {
    const read = buildRead(random, state);
    const first = await read(subject.store.read);
    await subject.reopen();
    assert.deepEqual(await read(subject.store.read), first);
    return;
  }
  const step = await decideStep(random, state, subject.store);
  const before = subject.dump();
  const result: StepResults[keyof StepResults] = await subject.store.commit(step);
  try {
    if (result.status === "refused" || result.status === "fenced") assertSame(before, subject.dump(), "it has written");
    else if (chance(random, SENT_AGAIN)) await sendAgain(step, result, subject);
    assert.deepEqual(subject.recount(), []);
  } catch (error) {
    const trace = JSON.stringify({ result, step, before: state.sent.slice(-5) }, undefined, 1);
    throw new assert.AssertionError({ message: `After "${step.step}": ${error}\n${trace}` });
  }
  noteStep(state, step, result);
  await noteInnerItems(state, step, subject.store);
}

/** Steps that go on with what is left, or whose times count from each sending. */
const NEW_EACH_TIME: ReadonlySet<Step["step"]> = new Set(["prune", "retry_delivery", "set_timers", "migrate_chat"]);

async function sendAgain(step: Step, first: StepResults[keyof StepResults], subject: ModelSubject): Promise<void> {
  if (isNewEachTime(step)) return;
  const before = subject.dump();
  const second: StepResults[keyof StepResults] = await subject.store.commit(step);
  assertSame(before, subject.dump(), "sent again, it has written");
  if (second.status === "already" || step.step === "recover") return;
  const known = "items" in second && typeof second.items !== "number" ? second.items : [];
  for (const item of known) if (typeof item === "object") assert.notEqual(item.outcome, "stored");
  if (step.step !== "receive") assert.deepEqual(second, first, "sent again, it answers otherwise");
}

function isNewEachTime(step: Step): boolean {
  // A repeat is known by its last entry.
  if (step.step === "tool_result") return step.entries.length === 0;
  // Links that name one account twice never all hold.
  if (step.step === "set_links") return new Set(step.writes.map(({ peer }) => peer)).size < step.writes.length;
  return NEW_EACH_TIME.has(step.step);
}

function assertSame(before: Uint8Array, after: Uint8Array, what: string): void {
  assert.ok(Buffer.compare(before, after) === 0, what);
}

/** Learns which `seq` the store gave to what it did not name in its answer. */
async function noteInnerItems(state: ModelState, step: Step, store: Store): Promise<void> {
  for (const item of listInnerItems(step)) {
    const row = await store.read.itemByDedupe(item.dedupe);
    if (row) noteItem(state, item, row.seq);
  }
}

async function decideStep(random: RandomSource, state: ModelState, store: Store): Promise<Step> {
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
