/**
 * Joins the pieces of albums, which arrive as separate updates, by polling and by webhook. Everything is stored before
 * it is confirmed: pieces are stored behind the cursor of their batch, and their message replaces
 * them there in one write. So a crash cannot lose a confirmed piece; an unconfirmed one arrives again and joins the
 * others.
 *
 * Stages: decide what is ready and what is held → store both in one write → a second after the last piece, ask Telegram
 * how many updates are pending → join if none of them can be a piece, or at the limit, with a note.
 */
import type { ChannelErrorClass, Clock, Log } from "@banyan/plugin-sdk";
import type { Message, Update } from "grammy/types";
import type { Bot } from "grammy/web";
import type { CursorKeeper } from "../polling/cursor-keeper.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import {
  type AlbumState,
  type AlbumWait,
  decideAlbumEnd,
  decideAlbums,
  decideAskMs,
  isFollowed,
  listAlbums,
  listPieces,
  stampAlbums,
} from "./album-decision.ts";
import type { HeldPieces, PieceStore } from "./piece-store.ts";
import type { StoreUpdates, UpdateIntake } from "./update-intake.ts";

export interface AlbumDeskOptions {
  readonly store: PieceStore;
  readonly intake: StoreUpdates;
  readonly keeper: Pick<CursorKeeper, "nextId" | "hasPiece">;
  readonly bot: Bot;
  readonly isPosted: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** They are written with each cursor. */
const MAX_PIECES = 100;
/** Visible to the agent, and to people in the conversation's record. */
const LATE_NOTE = "(some files of this album may follow in another message)";

const LASTING: ReadonlySet<ChannelErrorClass> = new Set(["permanent", "unauthorized"]);

interface Alarm extends AlbumWait {
  /** The album's piece count when the alarm was set; if it changes, the wait starts again. */
  readonly pieceCount: number;
  readonly cancel: () => void;
}

export class AlbumDesk {
  readonly #options: AlbumDeskOptions;
  readonly #alarms = new Map<string, Alarm>();
  #nextId: number | undefined;
  /** Batches and joins run one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: AlbumDeskOptions) {
    this.#options = options;
    this.#nextId = options.keeper.nextId;
    this.#watchHeld();
    options.signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  /** Resolves when the whole batch is stored, pieces included. */
  readonly take: UpdateIntake = (updates) =>
    this.#inLine(async () => {
      for (const part of splitAtMoves(updates)) await this.#store(part);
      for (const album of listAlbums(this.#held)) {
        if (this.#held.pieces.length <= MAX_PIECES) break;
        await this.#join(album, isFollowed(listPieces(this.#held, album), this.#state) ? "whole" : "limit");
      }
    });

  #inLine(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  get #held(): HeldPieces {
    return this.#options.store.held;
  }

  get #state(): AlbumState {
    return { held: this.#held, nextId: this.#nextId };
  }

  async #store(updates: readonly Update[]): Promise<void> {
    const { intake, keeper, isPosted, clock } = this.#options;
    const rules = { isPosted, isJoined: (id: number) => keeper.hasPiece(id) };
    const { ready, held, nextId } = decideAlbums(updates, this.#state, rules);
    const stamped = stampAlbums(held, this.#held, clock.now());
    await intake(ready, { held: stamped, ids: updates.map(({ update_id: id }) => id) });
    this.#nextId = nextId;
    this.#watchHeld();
  }

  /** Stores one message in one write that also removes its pieces. */
  async #join(album: string, why: "whole" | "late" | "limit"): Promise<void> {
    const { intake, clock, log } = this.#options;
    const joined = listPieces(this.#held, album);
    const held = { ...this.#held, pieces: this.#held.pieces.filter((piece) => !joined.includes(piece)) };
    const stamped = stampAlbums(held, this.#held, clock.now());
    await intake(joined, { held: stamped, ids: [], ...(why !== "whole" && { note: LATE_NOTE }) });
    this.#watchHeld();
    if (why === "whole") return;
    const reason =
      why === "late" ? "Telegram did not say in time that all of it has come" : `more than ${MAX_PIECES} files wait`;
    const files = joined.length === 1 ? "1 file" : `${joined.length} files`;
    log.warn(
      { chat: album.slice(0, album.indexOf("/")) },
      `An album is passed on with ${files}: ${reason}; files of it that come later are a message of their own`,
    );
  }

  /** Sets an alarm for each album that has none since its last piece. */
  #watchHeld(): void {
    const albums = listAlbums(this.#held);
    for (const [album, { cancel }] of this.#alarms) {
      if (albums.includes(album)) continue;
      cancel();
      this.#alarms.delete(album);
    }
    for (const album of albums) {
      if (this.#alarms.get(album)?.pieceCount === listPieces(this.#held, album).length) continue;
      this.#arm(album, { earlierMs: this.#readEarlierMs(album), waitedMs: 0, endId: undefined });
    }
  }

  /** Of an album that an earlier process held, by what that has stored. */
  #readEarlierMs(album: string): number {
    const now = this.#options.clock.now();
    return Math.max(0, now - (this.#held.lastAt?.[album] ?? now));
  }

  #arm(album: string, wait: AlbumWait): void {
    const { clock, signal } = this.#options;
    if (signal.aborted) return;
    this.#alarms.get(album)?.cancel();
    const pieceCount = listPieces(this.#held, album).length;
    const alarm = {
      ...wait,
      pieceCount,
      cancel: clock.schedule(decideAskMs(wait), () => void this.#ask(album, alarm)),
    };
    this.#alarms.set(album, alarm);
  }

  /** Never rejects. */
  async #ask(album: string, alarm: Alarm): Promise<void> {
    const waiting = await countWaiting(this.#options.bot);
    await this.#inLine(async () => {
      // Another piece has arrived, or it is already joined.
      if (this.#alarms.get(album) !== alarm || this.#options.signal.aborted) return;
      const end = decideAlbumEnd(listPieces(this.#held, album), this.#state, alarm, waiting);
      if (end !== "whole" && end !== "late") return this.#arm(album, end);
      // A failure is reported where it occurs, and retried.
      await this.#join(album, end).catch(() => this.#arm(album, alarm));
    });
  }

  #leave(): void {
    for (const { cancel } of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }
}

/** Returns the number of updates pending at Telegram; `undefined`: no answer. Works for polling bots too. */
async function countWaiting(bot: Bot): Promise<number | undefined> {
  try {
    const { pending_update_count: count } = await bot.api.getWebhookInfo();
    return Number.isSafeInteger(count) ? count : 0;
  } catch (error) {
    // A server that cannot say it will not be able to later either.
    return LASTING.has(classifyTelegramError(error).class) ? 0 : undefined;
  }
}

/** A group's move is stored separately, between what was written before it and after. */
function splitAtMoves(updates: readonly Update[]): readonly (readonly Update[])[] {
  const parts: Update[][] = [];
  let isAfterMove = true;
  for (const update of updates) {
    const isMove = isMoveOf(update.message);
    if (isMove || isAfterMove) parts.push([update]);
    else parts.at(-1)?.push(update);
    isAfterMove = isMove;
  }
  return parts;
}

function isMoveOf(message: Message | undefined): boolean {
  return message?.migrate_to_chat_id !== undefined || message?.migrate_from_chat_id !== undefined;
}
