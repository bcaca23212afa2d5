import { parseAddress, type SessionEntry } from "@banyan/plugin-sdk";
import type { NewDelivery, NewEntry } from "@banyan/plugin-sdk/store";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import { buildSessionWrite, parseSessionRow, type SessionRecord } from "../sessions/session-record.ts";
import { formatEntry } from "../sessions/transcript.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import type { Turn, TurnEnd } from "./compose-turn.ts";
import type { TurnParts } from "./turn-parts.ts";

const MOST_CONFLICTS = 5;

/**
 * T3: entries, deliveries, record and the item's end in one step; then the deliveries are on their way. Resolves with
 * the items left in the lane, or `undefined` when the lane was lost: whoever has it now runs the turn again. Rejects
 * when the end cannot be written: the lane is still ours, so the caller gives it back.
 */
export async function commitTurn(
  turn: Turn,
  end: TurnEnd,
  opening: readonly NewEntry[],
  parts: TurnParts,
): Promise<number | undefined> {
  const { ports, outbox, sessions } = parts;
  const deliveries = outbox.reserve(await composeReply(turn, end, parts), parts.owner);
  let isWritten = false;
  try {
    const committed = await writeEnd(turn, end, [...opening, ...end.entries.map(formatEntry)], deliveries, parts);
    if (committed === undefined) {
      ports.log.warn({ session: turn.claim.lane }, "a turn's end was not taken: its lane is with somebody else now");
      return undefined;
    }
    isWritten = true;
    sessions.advance(committed.record, committed.session, committed.revision);
    outbox.enqueue(deliveries);
    return committed.waiting;
  } finally {
    if (!isWritten) outbox.release(deliveries);
  }
}

interface WrittenEnd {
  readonly record: SessionRecord;
  readonly session: SessionEntry;
  readonly revision: number;
  readonly waiting: number;
}

/** Writes on the record as it is now, again where it changed meanwhile. `undefined`: the lane was lost. */
async function writeEnd(
  turn: Turn,
  end: TurnEnd,
  entries: readonly NewEntry[],
  deliveries: readonly NewDelivery[],
  parts: TurnParts,
): Promise<WrittenEnd | undefined> {
  const { store, ports, signal } = parts;
  const { lane, epoch, item } = turn.claim;
  const itemState = end.outcome === "quarantined" ? "quarantined" : "done";
  const { sessionId } = turn.record.entry;
  let record = turn.record;
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    // A new conversation began under the key meanwhile: the turn belongs to the old one, transcript and figures.
    const isReset = record.entry.sessionId !== sessionId;
    const session = isReset ? record.entry : updateEntryAfterRun(record.entry, end.figures);
    if (isReset && entries.length > 0) {
      await commitPatiently(store, { step: "append_entries", sessionKey: lane, sessionId, entries }, ports, signal);
    }
    const write = buildSessionWrite(record, session);
    ports.faultPoint("T3.before");
    const written = { entries: isReset ? [] : entries, session: write, deliveries };
    const committed = await commitPatiently(
      store,
      { step: "commit_turn", lane, epoch, items: [item.seq], itemState, ...written },
      ports,
      signal,
    );
    ports.faultPoint("T3.after");
    if (committed.status === "done" || committed.status === "already") {
      return { record, session, revision: committed.revision, waiting: committed.waiting };
    }
    const row = committed.status === "fenced" ? undefined : await store.read.session(lane);
    if (row === undefined) return undefined;
    record = parseSessionRow(row);
  }
  throw new Error(`A turn's end was written: the session ${lane} changed ${MOST_CONFLICTS} times meanwhile`);
}

/** The rows of what the chat is told; none when a tap kept it back. */
async function composeReply(turn: Turn, end: TurnEnd, parts: TurnParts): Promise<readonly NewDelivery[]> {
  const { address, claim } = turn;
  const { ports } = parts;
  const sending = { sessionKey: claim.lane, address, ...end.reply };
  const { message_sending } = parts.hooks;
  const final = message_sending.isTapped ? await message_sending.call(sending) : sending;
  if ("cancelled" in final && final.cancelled !== undefined) {
    ports.log.warn({ session: claim.lane, reason: final.cancelled }, "a reply was kept back");
    return [];
  }
  const channel = parts.getChannel(address);
  return composeDeliveries({
    deliveryId: parts.ports.createId(),
    kind: end.reply.kind,
    address,
    // What a tap has made of it may hold one.
    text: ports.scrub(final.text),
    limit: channel.text,
    policy: channel.policy,
    sessionKey: claim.lane,
    // In a DM it is plain what an answer answers to.
    ...(parseAddress(address).kind === "dm" ? {} : { replyTo: turn.body.id }),
  });
}
