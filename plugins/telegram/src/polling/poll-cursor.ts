/** Where the polling of an account stands, and what Telegram's two time limits make of it. Pure. */

export interface PollCursor {
  /** The first update that is not stored yet; 0 asks for the oldest one that is not confirmed. */
  readonly offset: number;
  /** When an update came last, in milliseconds since the epoch; `undefined` where nobody knows. */
  readonly updateAt?: number | undefined;
  /** When Telegram answered a poll last. */
  readonly pollAt?: number | undefined;
  /** Where Telegram posted last: the id behind the last one stored. What was not stored may lie below it. */
  readonly nextId?: number | undefined;
  /** Where Telegram posted last: the mark of the webhook that was set. */
  readonly mark?: string | undefined;
  /** Where Telegram posted last: the updates of the last albums stored, which it may bring again one by one. */
  readonly pieces?: readonly number[] | undefined;
  /** Where Telegram posted last: messages that were seen and not stored. Telegram brings them again. */
  readonly seen?: readonly SeenUpdate[] | undefined;
}

export interface SeenUpdate {
  readonly id: number;
  /** Of its message. */
  readonly chat: number;
  /** When it was seen first, in milliseconds since the epoch. */
  readonly at: number;
}

const HOUR_MS = 60 * 60 * 1000;
/**
 * After a week without updates the next id is random, and an offset above it would hide it for ever ("Update",
 * core.telegram.org/bots/api). A day before that no offset is asked for; what then comes twice, the core knows already.
 */
const OFFSET_LIMIT_MS = 6 * 24 * HOUR_MS;
/** How long Telegram keeps updates that nobody fetches ("Getting updates", core.telegram.org/bots/api). */
const RETENTION_MS = 24 * HOUR_MS;

/** Four albums of ten, over which nothing is brought again any more. */
const MOST_PIECES = 40;
/** More than Telegram posts at once. The first ones count: all others wait for them. */
const MOST_SEEN = 100;

/** `offset updateAt pollAt`, with `nextId mark pieces seen` behind it for a webhook. Anything else is the very first start. */
export function parsePollCursor(text: string | undefined): PollCursor {
  const words = (text ?? "").split(" ");
  const [offset, updateAt, pollAt, nextId] = words.map(parseCount);
  const mark = words[4];
  const pieces = words[5]?.split(",").flatMap((id) => parseCount(id) ?? []);
  const seen = words[6]?.split(",").flatMap(parseSeen);
  return {
    offset: offset ?? 0,
    updateAt,
    pollAt,
    ...(nextId !== undefined && { nextId }),
    ...(mark !== undefined && { mark }),
    ...(pieces !== undefined && { pieces }),
    ...(seen !== undefined && { seen }),
  };
}

export function formatPollCursor({
  offset,
  updateAt,
  pollAt,
  nextId,
  mark,
  pieces = [],
  seen = [],
}: PollCursor): string {
  const words = [offset, updateAt ?? 0, pollAt ?? 0];
  const lists = [pieces.slice(-MOST_PIECES).join(","), seen.slice(0, MOST_SEEN).map(formatSeen).join(",")];
  while (lists.at(-1) === "") lists.pop();
  if (nextId === undefined && mark === undefined && lists.length === 0) return words.join(" ");
  return [...words, nextId ?? 0, mark ?? "-", ...lists.map((list) => list || "-")].join(" ");
}

function formatSeen({ id, chat, at }: SeenUpdate): string {
  return `${id}@${chat}@${at}`;
}

function parseSeen(text: string): readonly SeenUpdate[] {
  const [id = Number.NaN, chat = Number.NaN, at = Number.NaN] = text.split("@").map(Number);
  return [id, chat, at].every(Number.isSafeInteger) ? [{ id, chat, at }] : [];
}

/** Those that Telegram still has: it brings them again. */
export function listKept({ seen = [] }: PollCursor, now: number): readonly SeenUpdate[] {
  return seen.filter(({ at }) => Math.abs(now - at) < RETENTION_MS);
}

/** The first id that a webhook may wait for; `undefined` where nobody knows, or the count may have begun anew. */
export function findNextId(cursor: PollCursor, now: number): number | undefined {
  if (cursor.nextId !== undefined) return decideOffset({ ...cursor, offset: cursor.nextId }, now) || undefined;
  return decideOffset(cursor, now) || undefined;
}

/** The offset of the next poll. Nothing is lost without one: Telegram then gives all that is not confirmed. */
export function decideOffset({ offset, updateAt }: PollCursor, now: number): number {
  return updateAt !== undefined && Math.abs(now - updateAt) < OFFSET_LIMIT_MS ? offset : 0;
}

/** The time from which Telegram has forgotten what was written; `undefined` where it has kept everything. */
export function findGap(
  { pollAt }: PollCursor,
  now: number,
): { readonly from: number; readonly to: number } | undefined {
  const to = now - RETENTION_MS;
  return pollAt !== undefined && pollAt < to ? { from: pollAt, to } : undefined;
}

function parseCount(text: string): number | undefined {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
