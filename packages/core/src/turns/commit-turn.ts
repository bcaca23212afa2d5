import type { NewEntry } from "@banyan/store";
import { commitPatiently } from "../ports/commit-step.ts";
import type { TargetAnswers } from "../runs/delivery-target.ts";
import { buildSessionWrite, parseSessionRow, type SessionRecord } from "../sessions/session-record.ts";
import { formatEntry } from "../sessions/transcript.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import type { Turn, TurnEnd } from "./compose-turn.ts";
import { planTurnEffects, type TurnEffects } from "./turn-effects.ts";
import type { TurnParts } from "./turn-parts.ts";
import { finishReply } from "./turn-reply.ts";
import { finishSayings } from "./turn-sayings.ts";

const MOST_CONFLICTS = 8;

/**
 * T3: entries, deliveries, record and the item's end in one step, with the end of the run that the turn worked for; then
 * the deliveries are on their way. Resolves with the items left in the lane, or `undefined` when the lane was lost:
 * whoever has it now runs the turn again. Rejects when the end cannot be written: the lane is still ours, so the caller
 * gives it back. What the end means for runs is decided anew where something moved meanwhile.
 */
export async function commitTurn(
  turn: Turn,
  end: TurnEnd,
  opening: readonly NewEntry[],
  parts: TurnParts,
  getSignal: () => AbortSignal,
): Promise<number | undefined> {
  const { store, ports } = parts;
  const reply = await finishReply(turn, end, parts);
  const sayings = turn.body.isQuiet ? [] : await finishSayings(turn, end.sayings ?? [], parts);
  const entries = [...opening, ...end.entries.map(formatEntry)];
  const answers: TargetAnswers = new Map();
  let record = findLatestRecord(turn, parts);
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    const effects = await planTurnEffects({ turn, end, reply, sayings, record, answers }, parts);
    const written = await writeEnd(turn, end, entries, { record, effects, getSignal }, parts);
    if (written !== "conflict") return written;
    const row = await store.read.session(turn.claim.lane);
    if (row === undefined) return reportLost(turn, parts);
    record = parseSessionRow(row);
  }
  ports.log.error({ session: turn.claim.lane, tries: MOST_CONFLICTS }, "a turn's end could not be written");
  throw new Error(
    `A turn's end was written: the session ${turn.claim.lane} changed ${MOST_CONFLICTS} times at the same time`,
  );
}

/** The turn itself may have written the session's record. */
function findLatestRecord({ record, claim }: Turn, { sessions }: TurnParts): SessionRecord {
  const cached = sessions.find(claim.lane);
  return cached !== undefined && cached.revision > record.revision ? cached : record;
}

interface Attempt {
  readonly record: SessionRecord;
  readonly effects: TurnEffects;
  /** Of the waiting for a store that is full. */
  readonly getSignal: () => AbortSignal;
}

async function writeEnd(
  turn: Turn,
  end: TurnEnd,
  entries: readonly NewEntry[],
  { record, effects, getSignal }: Attempt,
  parts: TurnParts,
): Promise<number | "conflict" | undefined> {
  const { store, ports, sessions } = parts;
  const { lane, epoch, item } = turn.claim;
  const { sessionId = turn.record.entry.sessionId } = turn.body;
  let isWritten = false;
  try {
    // A new conversation began under the key meanwhile: the turn belongs to the old one, transcript and figures.
    const isReset = record.entry.sessionId !== sessionId;
    const session = isReset ? record.entry : updateEntryAfterRun(record.entry, end.figures);
    if (isReset) {
      // Each by itself: a stop in between may have written some of them, and a step is known by its first.
      for (const entry of entries) {
        const step = { step: "append_entries", sessionKey: lane, sessionId, entries: [entry] } as const;
        await commitPatiently(store, step, ports, getSignal);
      }
    }
    const write = buildSessionWrite(record, session);
    ports.faultPoint("T3.before");
    const committed = await commitPatiently(
      store,
      {
        step: "commit_turn",
        lane,
        epoch,
        items: turn.taken.length === 0 ? [item.seq] : [item.seq, ...turn.taken],
        itemState: end.outcome === "quarantined" ? "quarantined" : "done",
        entries: isReset ? [] : entries,
        session: write,
        ...effects.written,
      },
      ports,
      getSignal,
    );
    ports.faultPoint("T3.after");
    if (committed.status === "fenced") return reportLost(turn, parts);
    if (committed.status === "refused") return "conflict";
    isWritten = true;
    if (committed.run === "ended") sessions.forget(lane);
    else sessions.advance(record, session, committed.revision);
    effects.settle(committed);
    return committed.waiting;
  } finally {
    if (!isWritten) await effects.abandon();
  }
}

function reportLost({ claim }: Turn, { ports }: TurnParts): undefined {
  ports.log.warn({ session: claim.lane }, "a turn's end was not stored: another process has its lane now");
  return undefined;
}
