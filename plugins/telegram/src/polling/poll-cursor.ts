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

/** `offset updateAt pollAt`, with `nextId mark pieces` behind it for a webhook. Anything else is the very first start. */
export function parsePollCursor(text: string | undefined): PollCursor {
  const words = (text ?? "").split(" ");
  const [offset, updateAt, pollAt, nextId] = words.map(parseCount);
  const mark = words[4];
  const pieces = words[5]?.split(",").flatMap((id) => parseCount(id) ?? []);
  return {
    offset: offset ?? 0,
    updateAt,
    pollAt,
    ...(nextId !== undefined && { nextId }),
    ...(mark !== undefined && { mark }),
    ...(pieces !== undefined && { pieces }),
  };
}

export function formatPollCursor({ offset, updateAt, pollAt, nextId, mark, pieces = [] }: PollCursor): string {
  const posted = nextId === undefined && mark === undefined ? [] : [nextId ?? 0, mark ?? "-"];
  const brought = posted.length === 0 || pieces.length === 0 ? [] : [pieces.slice(-MOST_PIECES).join(",")];
  return [offset, updateAt ?? 0, pollAt ?? 0, ...posted, ...brought].join(" ");
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
