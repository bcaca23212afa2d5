import { type Completion, isAddress } from "@banyan/plugin-sdk";
import { type EntryRow, type ItemRow, isSuspect, type NewEntry } from "@banyan/store";
import { isCompanion } from "../lanes/backlog.ts";
import { type ItemBody, parseItemBody } from "../lanes/item-body.ts";
import type { LaneClaim } from "../lanes/lane-claim.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import { buildCompletionEntry, buildCompletionEntryId, formatEntry } from "../sessions/transcript.ts";
import { NOTHING, readCollected } from "./collected-messages.ts";
import type { Turn } from "./compose-turn.ts";
import { buildTakenEntry, fillWords, markAnnounced } from "./taken-message.ts";
import type { TurnParts } from "./turn-parts.ts";

/** Completions that one turn answers to at most; the rest gets the next one. */
const MOST_COMPLETIONS = 100;

/**
 * Everything that a claimed item's turn is about: with a completion come those that wait beside it. `earlier`: what earlier
 * attempts wrote. One that is given up takes nothing along, nor does a suspect, so that the message at fault is found;
 * unless an earlier attempt has done its work for those as well.
 */
export async function readTurn(
  claim: LaneClaim,
  earlier: readonly Pick<EntryRow, "id">[],
  isGivenUp: boolean,
  parts: TurnParts,
): Promise<Turn> {
  const { lane } = claim;
  const { address, seq, body, kind } = claim.item;
  if (!isAddress(address)) throw new TypeError(`A turn was begun: the item ${seq} has no address, but ${address}`);
  // The cache may have dropped the record between the claim and now.
  const row =
    claim.session ?? (parts.sessions.find(lane) === undefined ? await parts.store.read.session(lane) : undefined);
  const record = parts.sessions.accept(lane, row);
  const taken = kind === "completion" ? await readBeside(claim, record, parts) : [];
  const isAlone = isGivenUp || (isSuspect(claim.item) && earlier.length === 0);
  const { messages, overflow } = isAlone ? NOTHING : await readCollected(claim, { record, address, earlier }, parts);
  const own = fillWords(parseItemBody(body));
  const bodies = [own, ...taken.map((item) => parseItemBody(item.body))];
  const completions = kind === "completion" ? await readCompletions(bodies, parts) : [];
  const hops = Math.max(...bodies.map((each) => each.hops ?? 0));
  return {
    id: `${lane}#${seq}`,
    claim,
    record,
    // A loop of agents is as long as the longest way that led here.
    body: hops > 0 ? { ...own, hops } : own,
    address,
    taken: [...taken, ...messages].map((item) => item.seq),
    messages,
    ...(overflow === undefined ? {} : { overflow }),
    completions,
    answerId: parts.ports.createId(),
  };
}

async function readCompletions(bodies: readonly ItemBody[], { store }: TurnParts): Promise<readonly Completion[]> {
  const marked = await Promise.all(bodies.map((body) => markAnnounced({ body }, store.read)));
  return marked.flatMap(({ body: { completion } }) => (completion === undefined ? [] : [completion]));
}

/** Completions that wait in the lane for the same: one turn takes them all. */
async function readBeside(
  { lane, item }: LaneClaim,
  { entry }: SessionRecord,
  { store }: TurnParts,
): Promise<readonly ItemRow[]> {
  const open = await store.read.openItems({ lane, kinds: ["completion"], limit: MOST_COMPLETIONS });
  const waiting = open.filter(({ seq, state }) => seq !== item.seq && state === "waiting");
  return waiting.filter((row) => isCompanion(row, item, entry.sessionId));
}

/** What opens the turn in the transcript. */
export function buildOpening(turn: Turn): readonly NewEntry[] {
  const { body, completions, claim, address, messages, record } = turn;
  if (completions.length > 0) {
    return completions.map((completion) => formatEntry(buildCompletionEntry(body.at, completion)));
  }
  const { sessionId } = record.entry;
  const own = { seq: claim.item.seq, kind: claim.item.kind, address, body };
  return [own, ...messages].map((message) => formatEntry(buildTakenEntry(message, sessionId)));
}

/** The part of the opening that an earlier attempt has not written into this conversation. */
export function leaveOutWritten(
  opening: readonly NewEntry[],
  written: readonly { readonly id: string }[],
): readonly NewEntry[] {
  const known = new Set(written.map(({ id }) => id));
  return opening.filter(({ id }) => !known.has(id));
}

/** The entry that the claimed item itself opens with: what a stop writes for it. The others wait on. */
export function findOwnOpening(turn: Turn, opening: readonly NewEntry[]): readonly NewEntry[] {
  const { completion } = turn.body;
  if (completion === undefined) return opening.slice(0, 1);
  const id = buildCompletionEntryId(completion.runId);
  return opening.filter((entry) => entry.id === id);
}
