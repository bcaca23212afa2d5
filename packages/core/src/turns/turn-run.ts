import type { RunRow } from "@banyan/store";
import { buildAnnouncementComposer } from "../runs/announcement-rows.ts";
import type { RunFinish } from "../runs/build-completion.ts";
import { chooseRecordWriters } from "../runs/choose-record-writers.ts";
import { composeRunEnd } from "../runs/compose-run-end.ts";
import { type PreparedEnds, prepareEnds, reserveEnds } from "../runs/prepare-ends.ts";
import { resolvePlace } from "../runs/read-ending-run.ts";
import { readLatestAnswer } from "../runs/read-latest-answer.ts";
import { readUnfinishedChildren } from "../runs/read-runs-below.ts";
import { parseRunBody } from "../runs/run-body.ts";
import { isUnfinished } from "../runs/run-record.ts";
import { isAnnounceSkip, isVisible } from "../runs/silent-answer.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import type { EndingTurn } from "./ending-turn.ts";
import type { TurnParts } from "./turn-parts.ts";
import { isRunToWait } from "./waiting-run.ts";

const NOTHING: PreparedEnds = { effect: { ends: [], closed: [] }, events: [], deliveries: [], stopped: [] };

/**
 * The end of the run that a turn works for. A turn that is done leaves the run waiting where something below it is not:
 * the store decides that, so an end is made ready only where it is to be expected. One that failed ends the run, with
 * everything below it. `undefined`: the run has ended already.
 */
export async function planTurnRun(
  ending: EndingTurn,
  runId: string,
  parts: TurnParts,
): Promise<{ readonly runId: string; readonly mayWait: boolean; readonly prepared: PreparedEnds } | undefined> {
  const { turn, end } = ending;
  const run = await parts.store.read.run(runId);
  if (run === undefined || !isUnfinished(run)) return undefined;
  const mayWait = end.outcome === "done";
  // Where it has ended by then, the store refuses this, and it is decided again.
  if (mayWait && (await isRunToWait(run, turn, parts.store.read))) return { runId, mayWait, prepared: NOTHING };
  const below = mayWait ? NOTHING : await prepareCascade(ending, runId, parts);
  const own = reserveEnds([await composeOwnEnd(run, ending, parts)], [], [], parts.runs);
  return {
    runId,
    mayWait,
    prepared: {
      effect: {
        ends: [...below.effect.ends, ...own.effect.ends],
        closed: below.effect.closed,
        // A run that is done may leave behind what nobody waits for.
        ...(mayWait ? {} : { closedRuns: [...(below.effect.closedRuns ?? []), runId] }),
      },
      events: [...below.events, ...own.events],
      deliveries: [...below.deliveries, ...own.deliveries],
      stopped: below.stopped,
    },
  };
}

/** What the run has asked for ends with it; what other runs of its session have asked for goes on. */
async function prepareCascade(
  { turn, answers }: EndingTurn,
  runId: string,
  { store, runs }: TurnParts,
): Promise<PreparedEnds> {
  const children = (await readUnfinishedChildren(turn.claim.lane, store.read)).filter(
    ({ parentRunId }) => parentRunId === runId,
  );
  const error = "What had asked for it failed before it.";
  return prepareEnds({ runs: children, reason: "killed", error, by: "cascade", answers }, runs);
}

async function composeOwnEnd(run: RunRow, { turn, end, record, answers }: EndingTurn, parts: TurnParts) {
  const { store, ports, runs } = parts;
  const entry = updateEntryAfterRun(record.entry, end.figures);
  const body = parseRunBody(run.body);
  const isWhole = isVisible(end.answer) || isAnnounceSkip(end.answer);
  const answer = isWhole ? end.answer : await readLatestAnswer(run, turn.record.entry.sessionId, store.read);
  const finish: RunFinish = {
    reason: end.outcome === "done" ? "complete" : end.isInterrupted ? "interrupted" : "error",
    answer,
    now: ports.clock.now(),
    totalTokens: entry.totalTokens,
    costUsd: entry.estimatedCostUsd,
    ...(end.error === undefined ? {} : { error: end.error }),
  };
  const place = await resolvePlace(run, body, finish, answers, runs);
  // The turn's entries belong to the conversation that it began in; and a session that works on has not ended.
  const isReset = record.entry.sessionId !== turn.record.entry.sessionId;
  const writers = isReset ? new Set() : await chooseRecordWriters([run], store.read);
  const child = writers.has(run.runId) ? { ...record, entry } : undefined;
  const ending = { ...finish, ...place, run, body, by: "turn", child, childBefore: record.entry } as const;
  return composeRunEnd(ending, buildAnnouncementComposer(runs));
}
