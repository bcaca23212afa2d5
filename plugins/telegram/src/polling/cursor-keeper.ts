import type { Clock, InboundMessage, Log } from "@banyan/plugin-sdk";
import type { AccountHealth } from "@banyan/plugin-sdk/kit";
import {
  decideOffset,
  findGap,
  findNextId,
  formatPollCursor,
  type PollCursor,
  parsePollCursor,
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
  /**
   * The cursor that goes with updates up to `offset`, as stored text; `undefined`: with what was confirmed before. `pieces`
   * are those of albums among them.
   */
  format(offset: number | undefined, pieces: readonly number[]): string;
  /** Updates up to `offset` are stored with that cursor. Only then may a piece that comes again be dropped. */
  noteStored(offset: number | undefined, pieces: readonly number[]): void;
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
  // A poll may bring them again that were posted before.
  const brought = new Set(cursor.pieces);
  function advance(offset: number | undefined, added: readonly number[]): PollCursor {
    // A join brings no update: it does not change the age of the offset.
    const updateAt = offset === undefined ? cursor.updateAt : clock.now();
    if (!isPosted) return { offset: offset ?? cursor.offset, updateAt, pollAt: cursor.pollAt };
    const pieces = [...(cursor.pieces ?? []), ...added];
    return { ...cursor, offset: 0, nextId: Math.max(cursor.nextId ?? 0, offset ?? 0), updateAt, pieces };
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
      if (gap !== undefined) health.note(formatGap(gap));
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
    format: (offset, pieces) => formatPollCursor(advance(offset, pieces)),
    noteStored(offset, pieces) {
      cursor = parsePollCursor(formatPollCursor(advance(offset, pieces)));
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

function formatGap({ from, to }: { readonly from: number; readonly to: number }): string {
  const [since, until] = [from, to].map((at) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`);
  return `Telegram keeps messages for 24 hours: what was written between ${since} and ${until} is lost there; ask people to write again`;
}
