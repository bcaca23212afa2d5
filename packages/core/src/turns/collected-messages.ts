import type { Address } from "@banyan/plugin-sdk";
import type { EntryRow, ItemRow } from "@banyan/store";
import type { QueueRules } from "../config/shapes/queue-config.ts";
import { isSameTask } from "../lanes/backlog.ts";
import type { LaneClaim } from "../lanes/lane-claim.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import { listSteerable } from "./steering/steerable-item.ts";
import { buildInputEntryId, readTaken, type TakenMessage } from "./taken-message.ts";
import type { TurnParts } from "./turn-parts.ts";

/** What a turn takes along of what waits behind its own message. */
export interface CollectedMessages {
  readonly messages: readonly TakenMessage[];
  /** More waited than may: these, with the turn's own, are told the agent in short, or left out. */
  readonly overflow?: "summarize" | "old";
}

export const NOTHING: CollectedMessages = { messages: [] };
/** More than any queue may hold. */
const MOST_ITEMS = 1_100;
const SHORT_CHARS = 200;
/** A flood is told by its last lines. */
const MOST_SHOWN = 50;

/** What the agent is told in short. */
const SUMMARY_LINE = "messages came while I was busy, more than may wait. In short, in their order:";

export interface CollectFacts {
  readonly record: SessionRecord;
  readonly address: Address;
  /** What earlier attempts of the turn wrote. */
  readonly earlier: readonly Pick<EntryRow, "id">[];
}

export async function readCollected(
  claim: LaneClaim,
  { record, address, earlier }: CollectFacts,
  parts: Pick<TurnParts, "store" | "getQueueRules">,
): Promise<CollectedMessages> {
  const { item, lane, waiting: counted = Number.POSITIVE_INFINITY } = claim;
  // An idle lane begins at once.
  if (item.kind !== "message" || claim.isNew) return NOTHING;
  const { sessionId } = record.entry;
  const known = new Set(earlier.map(({ id }) => id));
  const rules = parts.getQueueRules({ entry: record.entry }, address);
  const takesAlong = rules.mode === "collect" || rules.mode === "steer-backlog";
  if (earlier.length === 0 && !takesAlong && counted <= rules.cap) return NOTHING;
  const open = await parts.store.read.openItems({ lane, limit: MOST_ITEMS });
  const waiting = listSteerable(open, { claim, turn: { taken: [], record } });
  // What it has done already was done for what it took along then.
  if (earlier.length > 0) {
    const again = waiting.filter(({ seq }) => known.has(buildInputEntryId(seq, sessionId)));
    return { messages: again.map(readTaken) };
  }
  const collected = decideCollected(waiting, rules);
  if (rules.mode !== "steer-backlog" || collected.overflow !== undefined) return collected;
  const own = readTaken(item);
  return { messages: waiting.map(readTaken).filter((other) => isSameTask(own, other)) };
}

/** `waiting`: what could be taken along, in its order. */
export function decideCollected(waiting: readonly ItemRow[], { mode, cap, drop }: QueueRules): CollectedMessages {
  const end = waiting.findIndex(({ kind }) => kind !== "message");
  const messages = end < 0 ? waiting : waiting.slice(0, end);
  const excess = messages.length - cap;
  if (excess > 0 && drop !== "new") return { messages: messages.slice(0, excess).map(readTaken), overflow: drop };
  return mode === "collect" ? { messages: messages.slice(0, cap).map(readTaken) } : NOTHING;
}

/** The oldest of too many, in short. */
export function formatSummary(texts: readonly string[]): string {
  const shown = texts.slice(-MOST_SHOWN).map((text) => `- ${shorten(text)}`);
  const more = texts.length - shown.length;
  return [`${texts.length} ${SUMMARY_LINE}`, ...(more > 0 ? [`- … (${more} before these)`] : []), ...shown].join("\n");
}

export function formatLeftOut(texts: readonly string[], cap: number): string {
  const shown = texts.slice(0, 3).map((text) => `“${shorten(text)}”`);
  const rest = texts.length - shown.length;
  const count = texts.length === 1 ? "1 message was" : `${texts.length} messages were`;
  return `⚠ ${count} left out, for more than ${cap} waited here: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}. Send again what still matters.`;
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > SHORT_CHARS ? `${line.slice(0, SHORT_CHARS).toWellFormed()}…` : line;
}
