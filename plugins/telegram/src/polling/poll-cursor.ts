/** Where the polling of an account stands, and what Telegram's two time limits make of it. Pure. */

export interface PollCursor {
  /** The first update that is not stored yet; 0 asks for the oldest one that is not confirmed. */
  readonly offset: number;
  /** When an update came last, in milliseconds since the epoch; `undefined` where nobody knows. */
  readonly updateAt?: number | undefined;
  /** When Telegram answered a poll last. */
  readonly pollAt?: number | undefined;
}

const HOUR_MS = 60 * 60 * 1000;
/**
 * After a week without updates the next id is random, and an offset above it would hide it for ever ("Update",
 * core.telegram.org/bots/api). A day before that no offset is asked for; what then comes twice, the core knows already.
 */
const OFFSET_LIMIT_MS = 6 * 24 * HOUR_MS;
/** How long Telegram keeps updates that nobody fetches ("Getting updates", core.telegram.org/bots/api). */
const RETENTION_MS = 24 * HOUR_MS;

/** `offset updateAt pollAt`; older versions stored the offset alone. Anything else is the very first start. */
export function parsePollCursor(text: string | undefined): PollCursor {
  const [offset, updateAt, pollAt] = (text ?? "").split(" ").map(parseCount);
  return { offset: offset ?? 0, updateAt, pollAt };
}

export function formatPollCursor({ offset, updateAt, pollAt }: PollCursor): string {
  return [offset, updateAt ?? 0, pollAt ?? 0].join(" ");
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
