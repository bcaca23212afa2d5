import type { DeliveryTarget } from "@banyan/plugin-sdk";
import type { BindingRow, LaneRow, RunRow, StoreReads } from "@banyan/store";
import { parseSessionRow, type SessionRecord } from "../sessions/session-record.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import { buildCompletion, type RunFinish } from "./build-completion.ts";
import type { EndingRun } from "./compose-run-end.ts";
import { askDeliveryTarget, type TargetAnswers } from "./delivery-target.ts";
import type { EndCause } from "./end-cause.ts";
import { readLatestAnswer } from "./read-latest-answer.ts";
import { readToldSession } from "./read-told-session.ts";
import { parseRunBody, type RunBody } from "./run-body.ts";
import type { RunParts, StoppedTurn } from "./run-parts.ts";
import { isVisible } from "./silent-answer.ts";
import type { StoppedLane } from "./stopped-lane.ts";

const OPEN_ITEMS = 1_000;
/** Runs of one turn lie together. */
const MOST_SIBLINGS = 200;

/** A run on its way to its end, with the turn that worked for it, which is stopped. */
export interface HaltedRun {
  readonly lane: LaneRow;
  readonly halted: StoppedTurn | undefined;
  /** Whoever stopped the turn ends it, too. */
  readonly isGiven: boolean;
}

/**
 * Stops the turn that works for a run. It is added to `stopped`, because it must be given back where the end is not
 * written.
 */
export async function haltRun(
  run: RunRow,
  { stopped, halted: given }: HaltedTurns,
  parts: RunParts,
): Promise<HaltedRun> {
  const lane = await parts.store.read.lane(run.childSessionKey);
  const isGiven = given?.lane === run.childSessionKey;
  return { lane, isGiven, halted: isGiven ? given.turn : await stopTurnOf(run, lane, stopped, parts) };
}

export interface HaltedTurns {
  /** Turns that were stopped for the ends, and must be given back where these are not written. */
  readonly stopped: StoppedLane[];
  readonly halted: { readonly lane: string; readonly turn: StoppedTurn | undefined } | undefined;
}

/** The ends of one step have one moment. */
interface JointEnd extends EndCause {
  readonly now: number;
  readonly answers: TargetAnswers;
}

/** Everything that the end of a run from outside its turn is decided on. */
export async function readEndingRun(
  run: RunRow,
  cause: JointEnd,
  { lane, halted, isGiven }: HaltedRun,
  parts: RunParts,
): Promise<EndingRun> {
  const { store } = parts;
  const body = parseRunBody(run.body);
  const row = await store.read.session(run.childSessionKey);
  const standing = row === undefined ? undefined : parseSessionRow(row);
  const child = standing && addStopped(standing, halted);
  const sessionId = halted?.sessionId ?? child?.entry.sessionId ?? "";
  const said = halted !== undefined && isVisible(halted.text) ? halted.text : undefined;
  const answer = said ?? (await readLatestAnswer(run, sessionId, store.read));
  const isClosing = cause.isClosing === true;
  const finish = { ...buildFinish(cause, answer, child), isClosing };
  const stop = {
    epoch: halted?.epoch ?? lane.epoch,
    sessionId,
    entries: halted?.entries ?? [],
    taken: halted?.taken ?? [],
  };
  const place = await resolvePlace(run, body, finish, cause.answers, parts);
  const by = cause.by === "command" && cause.spokenAt !== place.target ? "operator" : cause.by;
  // Whoever stopped the lane writes its record and its end.
  if (isGiven) return { ...finish, ...place, run, body, by };
  // A session that was put away keeps its record as it is.
  const written = row?.archivedAtMs === undefined ? child : undefined;
  return { ...finish, ...place, run, body, by, child: written, childBefore: standing?.entry, stop };
}

/** What its turn had used counts, though it was stopped; not where its conversation is another one by now. */
function addStopped(child: SessionRecord, halted: StoppedTurn | undefined): SessionRecord {
  if (halted === undefined || halted.sessionId !== child.entry.sessionId) return child;
  return { ...child, entry: updateEntryAfterRun(child.entry, halted.figures) };
}

/** Whom a run's end is told, and where: the hook has the last word on the place. */
export async function resolvePlace(
  run: RunRow,
  body: RunBody,
  finish: RunFinish,
  answers: TargetAnswers,
  parts: Pick<RunParts, "store" | "hooks" | "ports">,
): Promise<Pick<EndingRun, "told" | "target" | "threads" | "hasSiblings">> {
  const { store } = parts;
  const { told, target } = await readToldSession(run, store.read);
  const threads = body.threadRequested ? await readThreads(run.childSessionKey, store.read) : [];
  const { runId, childSessionKey, requesterSessionKey } = run;
  const completion = buildCompletion(run, body, finish);
  const hasSiblings = completion.isSilent === true && (await readsSiblings(run, store.read));
  const event: DeliveryTarget = { runId, childSessionKey, requesterSessionKey, completion, target };
  return { told, target: await askDeliveryTarget(event, answers, parts), threads, hasSiblings };
}

/** What was opened for a child; a conversation that somebody has turned to it stays open. */
export async function readThreads(sessionKey: string, read: StoreReads): Promise<readonly BindingRow[]> {
  return (await read.bindings({ sessionKey })).filter(({ kind }) => kind === "thread");
}

async function readsSiblings({ runId, spawnSeq, requesterSessionKey }: RunRow, read: StoreReads): Promise<boolean> {
  if (spawnSeq === undefined) return false;
  const runs = await read.runs({ requesterSessionKey, newest: true, limit: MOST_SIBLINGS });
  return runs.some((one) => one.spawnSeq === spawnSeq && one.runId !== runId && one.settledBy === undefined);
}

async function stopTurnOf(
  run: RunRow,
  lane: LaneRow,
  stopped: StoppedLane[],
  { store, stopTurn }: RunParts,
): Promise<Awaited<ReturnType<RunParts["stopTurn"]>>> {
  if (lane.active.length === 0) return undefined;
  const open = await store.read.openItems({ lane: run.childSessionKey, limit: OPEN_ITEMS });
  const isOwn = open.some(({ state, runId }) => state === "active" && runId === run.runId);
  if (!isOwn) return undefined;
  const halted = await stopTurn(run.childSessionKey, true);
  if (halted !== undefined) stopped.push({ lane: run.childSessionKey, epoch: halted.epoch });
  return halted;
}

function buildFinish({ reason, error, now }: JointEnd, answer: string, child: SessionRecord | undefined): RunFinish {
  const { totalTokens, estimatedCostUsd } = child?.entry ?? {};
  const told = error === undefined ? {} : { error };
  return { reason, ...told, answer, now, totalTokens, costUsd: estimatedCostUsd };
}
