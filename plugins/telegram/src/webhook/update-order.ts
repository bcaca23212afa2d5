/** Which of the updates that were posted may be stored now. Pure. */
import type { SeenUpdate } from "../polling/poll-cursor.ts";

/**
 * Ids grow by one ("Update", core.telegram.org/bots/api), and an update that waits holds its connection: at most so many can
 * be under way beside the one that is missing. What is further off is no gap, but another count.
 */
export const REACH = 100;

export interface WaitingUpdates {
  /** Ascending, without repeats. */
  readonly ids: readonly number[];
  /** The id behind the last one stored; `undefined` where nobody knows. */
  readonly nextId: number | undefined;
  /** They have waited long enough. */
  readonly isOverdue: boolean;
}

/** How many of them, from the lowest on. 0: an earlier one may still be on its way. */
export function decideReady({ ids, nextId, isOverdue }: WaitingUpdates): number {
  const [first] = ids;
  if (first === undefined) return 0;
  if (isOverdue) return ids.length;
  const isNext = nextId !== undefined && (first <= nextId || first - nextId >= REACH);
  if (!isNext) return 0;
  const end = ids.findIndex((id, at) => id !== first + at);
  return end < 0 ? ids.length : end;
}

export interface WaitingUpdate {
  readonly id: number;
  /** Of its message; `undefined` where it is none. */
  readonly chat: number | undefined;
}

export interface AwaitedUpdates {
  /** Of the waiting ones, those that come after an earlier one of their chat that is not here. */
  readonly held: ReadonlySet<number>;
  /** What they wait for. */
  readonly awaited: readonly SeenUpdate[];
}

/** A message that was seen and not stored comes again: what was written later in its chat waits for it. */
export function findAwaited(waiting: readonly WaitingUpdate[], seen: readonly SeenUpdate[]): AwaitedUpdates {
  const here = new Set(waiting.map(({ id }) => id));
  const absent = seen.filter(({ id }) => !here.has(id));
  const isBehind = (update: WaitingUpdate, { id, chat }: SeenUpdate) => update.chat === chat && update.id > id;
  return {
    held: new Set(waiting.filter((update) => absent.some((one) => isBehind(update, one))).map(({ id }) => id)),
    awaited: absent.filter((one) => waiting.some((update) => isBehind(update, one))),
  };
}

/** The id that is expected when those up to `lastId` are stored. One far below is the start of a new count. */
export function decideNextId(nextId: number | undefined, lastId: number): number {
  const isLate = nextId !== undefined && lastId < nextId && nextId - lastId < REACH;
  return isLate ? nextId : lastId + 1;
}
