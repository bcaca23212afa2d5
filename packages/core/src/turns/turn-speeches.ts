import type { Completion } from "@banyan/plugin-sdk";
import type { NewDelivery, RunRow, RunSpeech } from "@banyan/plugin-sdk/store";
import { parseItemBody } from "../lanes/item-body.ts";
import { buildAnnouncementComposer } from "../runs/announcement-rows.ts";
import { formatAnnounced } from "../runs/completion-message.ts";
import { composeHostRows, readCompletion } from "../runs/host-announcement.ts";
import { readUnfinishedChildren } from "../runs/read-runs-below.ts";
import { parseRunBody } from "../runs/run-body.ts";
import { decideSpeeches } from "./decide-speeches.ts";
import type { EndingTurn } from "./ending-turn.ts";
import type { TurnParts } from "./turn-parts.ts";
import { composeReply } from "./turn-reply.ts";

/** Unsettled runs of one session that are looked at; the timers of older ones bring them up. */
const MOST_UNSETTLED = 1_000;

export interface PlannedSpeeches {
  readonly speeches: readonly RunSpeech[];
  readonly deliveries: readonly NewDelivery[];
}

/**
 * What the chat is told by a turn that answered to the ends of runs: by its own words, or by the host. `replied`: whose
 * results it knew before their completions came.
 */
export async function planSpeeches(
  ending: EndingTurn,
  replied: readonly RunRow[],
  parts: TurnParts,
): Promise<PlannedSpeeches> {
  const { turn, end, reply } = ending;
  const { lane } = turn.claim;
  const { read } = parts.store;
  const [unsettled, open, unfinished] = await Promise.all([
    read.runs({ toldSessionKey: lane, unsettled: true, newest: true, limit: MOST_UNSETTLED }),
    read.openItems({ lane, kinds: ["completion"], limit: MOST_UNSETTLED }),
    readUnfinishedChildren(lane, read),
  ]);
  const answered = new Set([turn.claim.item.seq, ...turn.taken]);
  const waiting = new Set(
    open.filter(({ seq }) => !answered.has(seq)).map(({ body }) => parseItemBody(body).completion?.runId ?? ""),
  );
  const isDone = end.outcome === "done";
  const runs = await readAnswered(turn.completions, unsettled, parts);
  const decision = decideSpeeches({
    answered: [...runs, ...replied],
    unsettled,
    waiting,
    unfinished,
    turn: isDone ? (reply === undefined ? "silent" : "visible") : "failed",
    address: turn.address,
  });
  const speeches = [...listOwnSpeeches(decision.parent), ...listHostSpeeches(decision.host)];
  const hosted = decision.host.flatMap((run) => composeHostRows(run, lane, parts.runs));
  const noted = isDone ? noteAnnounced(ending, runs) : ending;
  return { speeches, deliveries: [...composeOwnRows(noted, decision.parent, parts), ...hosted] };
}

/**
 * What the host has announced while the turn was at work on it the agent could not know of: people are told that the answer
 * is about the same.
 */
function noteAnnounced(ending: EndingTurn, runs: readonly RunRow[]): EndingTurn {
  const { turn, reply } = ending;
  const unknown = new Set(turn.completions.flatMap(({ runId, isAnnounced }) => (isAnnounced ? [] : [runId])));
  const late = runs.filter(
    (run) => run.settledBy === "host" && unknown.has(run.runId) && (run.target ?? run.route) === turn.address,
  );
  if (reply === undefined || late.length === 0) return ending;
  return { ...ending, reply: { ...reply, text: `${reply.text}\n\n${formatAnnounced(late.map(readCompletion))}` } };
}

/** The rows of one message name the newest of all that it tells of. */
function listOwnSpeeches(runs: readonly RunRow[]): readonly RunSpeech[] {
  const newest = runs.at(-1)?.runId;
  return runs.map(({ runId }) => ({
    runId,
    by: "parent",
    ...(newest === undefined || newest === runId ? {} : { toldWithRunId: newest }),
  }));
}

function listHostSpeeches(runs: readonly RunRow[]): readonly RunSpeech[] {
  return runs.map(({ runId }) => ({ runId, by: "host" }));
}

/** The turn's own words: an announcement where they tell of runs, else a reply like any other. */
function composeOwnRows(
  { turn, reply }: EndingTurn,
  told: readonly RunRow[],
  parts: TurnParts,
): readonly NewDelivery[] {
  if (reply === undefined) return [];
  if (told.length === 0) return composeReply(turn, reply, parts);
  const { address, claim } = turn;
  const completions = told.map(readCompletion);
  const { lane: sessionKey } = claim;
  const claims = findNewestAnchor(told, address);
  return buildAnnouncementComposer(parts.runs)({
    address,
    text: reply.text,
    completions,
    sessionKey,
    turnId: turn.id,
    ...(claims === undefined ? {} : { claims }),
  });
}

/** The runs that the turn answers to; most are among those that nobody has told of. */
async function readAnswered(
  completions: readonly Completion[],
  unsettled: readonly RunRow[],
  { store }: TurnParts,
): Promise<readonly RunRow[]> {
  const known = new Map(unsettled.map((run) => [run.runId, run]));
  const rows = await Promise.all(completions.map(({ runId }) => known.get(runId) ?? store.read.run(runId)));
  return rows.filter((row) => row !== undefined);
}

/** The newest message that shows how some of the runs fare, at the place that is told. */
function findNewestAnchor(told: readonly RunRow[], address: string): string | undefined {
  return told
    .filter(({ route }) => route === address)
    .map(({ body }) => parseRunBody(body).anchor)
    .findLast((anchor) => anchor !== undefined);
}
