import type { Clock, InboundMessage, Log } from "@banyan/plugin-sdk";
import type { AccountHealth } from "@banyan/plugin-sdk/kit";
import {
  decideOffset,
  findGap,
  findNextId,
  formatPollCursor,
  listKept,
  type PollCursor,
  parsePollCursor,
  type SeenUpdate,
} from "./poll-cursor.ts";

/** The cursor of one account while it polls. */
export interface CursorKeeper {
  /** The offset of the next poll. */
  readonly offset: number;
  /** The id behind the last update that was stored, where that is known. */
  readonly nextId: number | undefined;
  /** Of the webhook that was set last. */
  readonly mark: string | undefined;
  /** A webhook with this mark is set; kept with the next cursor. */
  noteMark(mark: string): void;
  /** So much time has passed that messages may be lost: the next answer is to come soon, so that people hear of it. */
  readonly isLate: boolean;
  /** Telegram answered a poll. Tells the operator when it was not asked for so long that it has forgotten messages. */
  noteAnswer(): void;
  /** Whether a piece of an album is stored in a message, with its other pieces. */
  hasPiece(updateId: number): boolean;
  /** Messages that Telegram has posted and that are not stored: it brings them again. */
  readonly seen: readonly SeenUpdate[];
  /** These were posted; kept with the next cursor. */
  noteSeen(updates: readonly Omit<SeenUpdate, "at">[]): void;
  /** These come no more. */
  forgetSeen(ids: readonly number[]): void;
  /** The cursor that goes with these updates, by their ids, as stored text; `pieces` are those of albums that are joined. */
  format(ids: readonly number[], pieces: readonly number[]): string;
  /** They are stored with that cursor. Only then may a piece that comes again be dropped. */
  noteStored(ids: readonly number[], pieces: readonly number[]): void;
  /** Stores the time of the last answer, at most once an hour, or `atOnce`. Never rejects; the next time makes up for it. */
  keep(atOnce: boolean): Promise<void>;
}

export interface CursorKeeperOptions {
  readonly cursor: string | undefined;
  /** Telegram posts: what it was not told to have arrived comes again by itself, so a poll may never skip it. */
  readonly isPosted?: boolean;
  readonly receive: (messages: readonly InboundMessage[], options: { cursor: string }) => Promise<unknown>;
  readonly health: AccountHealth;
  readonly clock: Clock;
  readonly log: Log;
}

/** Idle polls change nothing but the time; the store is not to be woken for each of them. */
const KEEP_EVERY_MS = 60 * 60 * 1000;
/** So many pieces of albums are known where they come again. */
const MOST_BROUGHT = 400;

export function createCursorKeeper(options: CursorKeeperOptions): CursorKeeper {
  const { cursor: stored, isPosted = false, receive, health, clock, log } = options;
  let cursor: PollCursor = parsePollCursor(stored);
  let keptAt: number | undefined = cursor.pollAt;
  let takeBackGap: (() => void) | undefined;
  // A poll may bring them again that were posted before.
  const brought = new Set(cursor.pieces);
  function advance(ids: readonly number[], added: readonly number[]): PollCursor {
    // A join brings no update: it does not change the age of the offset.
    const updateAt = ids.length === 0 ? cursor.updateAt : clock.now();
    const offset = ids.length === 0 ? undefined : Math.max(...ids) + 1;
    if (!isPosted) return { offset: offset ?? cursor.offset, updateAt, pollAt: cursor.pollAt };
    const pieces = [...(cursor.pieces ?? []), ...added];
    const nextId = offset === undefined ? (cursor.nextId ?? cursor.offset) : Math.max(cursor.nextId ?? 0, offset);
    return { ...cursor, offset: 0, nextId, updateAt, pieces, seen: omitSeen(cursor, ids) };
  }
  return {
    get offset() {
      return decideOffset(cursor, clock.now());
    },
    get isLate() {
      return findGap(cursor, clock.now()) !== undefined;
    },
    noteAnswer() {
      const now = clock.now();
      const gap = findGap(cursor, now);
      cursor = { ...cursor, pollAt: now };
      if (gap === undefined) return;
      takeBackGap?.();
      takeBackGap = health.note(formatGap(gap));
    },
    get nextId() {
      return findNextId(cursor, clock.now());
    },
    get mark() {
      return cursor.mark;
    },
    noteMark(mark) {
      cursor = { ...cursor, mark };
      keptAt = undefined;
    },
    hasPiece: (updateId) => brought.has(updateId),
    get seen() {
      return listKept(cursor, clock.now());
    },
    noteSeen(updates) {
      const before = listKept(cursor, clock.now());
      const known = new Set(before.map(({ id }) => id));
      const added = updates.filter(({ id }) => !known.has(id)).map((update) => ({ ...update, at: clock.now() }));
      cursor = { ...cursor, seen: [...before, ...added].toSorted((one, other) => one.id - other.id) };
    },
    forgetSeen(ids) {
      cursor = { ...cursor, seen: omitSeen(cursor, ids) };
    },
    format: (ids, pieces) => formatPollCursor(advance(ids, pieces)),
    noteStored(ids, pieces) {
      cursor = parsePollCursor(formatPollCursor(advance(ids, pieces)));
      for (const id of pieces) brought.add(id);
      for (const id of [...brought].slice(0, -MOST_BROUGHT)) brought.delete(id);
      keptAt = cursor.pollAt;
    },
    async keep(atOnce) {
      const now = clock.now();
      if (cursor.pollAt === undefined || cursor.pollAt === keptAt) return;
      if (!atOnce && keptAt !== undefined && now - keptAt < KEEP_EVERY_MS) return;
      keptAt = cursor.pollAt;
      try {
        await receive([], { cursor: formatPollCursor(cursor) });
      } catch (err) {
        log.debug({ err }, "the time of the last Telegram poll was not stored");
      }
    },
  };
}

function omitSeen({ seen = [] }: PollCursor, ids: readonly number[]): readonly SeenUpdate[] {
  return seen.filter(({ id }) => !ids.includes(id));
}

function formatGap({ from, to }: { readonly from: number; readonly to: number }): string {
  const [since, until] = [from, to].map((at) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`);
  return `Telegram keeps messages for 24 hours: what was written between ${since} and ${until} is lost there; ask people to write again`;
}
