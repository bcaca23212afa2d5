/**
 * Joins the pieces of an album that are posted. Telegram posts the next update of a chat only when the one before is confirmed,
 * so no piece can wait unconfirmed for the others: each is stored as it stands and confirmed, and a second after the last one,
 * or when the chat goes on, they become one message. What a death leaves is joined by the next life.
 */
import type { Clock } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import type { PieceStore } from "../intake/piece-store.ts";
import type { Commit, UpdateIntake } from "../intake/update-intake.ts";
import type { CursorKeeper } from "../polling/cursor-keeper.ts";
import { ALBUM_LIMIT_PIECES, findAlbum } from "../updates/album.ts";

export interface AlbumDeskOptions {
  readonly store: PieceStore;
  readonly intake: UpdateIntake;
  readonly keeper: Pick<CursorKeeper, "format" | "noteStored" | "hasPiece">;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Row T49 of the fault table: "collect for about 1 s". */
const WAIT_MS = 1_000;
/** They are written with each cursor; pieces beyond that are messages of their own. */
const MOST_PIECES = 40;

export class AlbumDesk {
  readonly #options: AlbumDeskOptions;
  readonly #alarms = new Map<string, () => void>();
  /** Batches and joins take their turns. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: AlbumDeskOptions) {
    this.#options = options;
    for (const album of new Set(options.store.pieces.map(findAlbum))) if (album !== undefined) this.#arm(album);
    options.signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  /** Resolves once the whole batch is stored, pieces as they stand. */
  readonly take: UpdateIntake = (updates) =>
    this.#inTurn(async () => {
      let batch: Update[] = [];
      for (const update of updates) {
        const album = findAlbum(update);
        const begun = this.#findBegun(update, album);
        const isPiece = album !== undefined && this.#isWaitedFor(update);
        if (begun === undefined && !isPiece) {
          batch.push(update);
          continue;
        }
        if (batch.length > 0) await this.#options.intake(batch);
        batch = [];
        // The chat goes on: nothing of that album comes any more.
        if (begun !== undefined) await this.#join(begun);
        if (isPiece) await this.#hold(update, album);
        else batch.push(update);
      }
      if (batch.length > 0) await this.#options.intake(batch);
    });

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** Another album of the same chat that is not joined yet. */
  #findBegun({ message, channel_post: post }: Update, album: string | undefined): string | undefined {
    const chatId = (message ?? post)?.chat.id;
    return this.#options.store.pieces.map(findAlbum).find((held) => held !== album && held?.startsWith(`${chatId}/`));
  }

  #isWaitedFor({ update_id: id }: Update): boolean {
    const { store, keeper } = this.#options;
    return !keeper.hasPiece(id) && (store.pieces.length < MOST_PIECES || this.#isHeld(id));
  }

  #isHeld(id: number): boolean {
    return this.#options.store.pieces.some((piece) => piece.update_id === id);
  }

  async #hold(update: Update, album: string): Promise<void> {
    const { store, keeper, commit } = this.#options;
    const { update_id: id } = update;
    // It comes again: the answer to it was lost.
    if (!this.#isHeld(id)) {
      const before = store.pieces;
      store.set([...before, update]);
      try {
        await commit("a piece of an album was not stored", () => store.receive([], { cursor: keeper.format(id + 1) }));
      } catch (error) {
        store.set(before);
        throw error;
      }
      keeper.noteStored(id + 1);
    }
    if (this.#listPieces(album).length < ALBUM_LIMIT_PIECES) this.#arm(album);
    else await this.#join(album);
  }

  #listPieces(album: string): readonly Update[] {
    return this.#options.store.pieces.filter((piece) => findAlbum(piece) === album);
  }

  /** One message in one write: the pieces go as it comes. */
  async #join(album: string): Promise<void> {
    const { store, intake } = this.#options;
    this.#alarms.get(album)?.();
    this.#alarms.delete(album);
    const pieces = this.#listPieces(album);
    if (pieces.length === 0) return;
    const before = store.pieces;
    store.set(before.filter((piece) => !pieces.includes(piece)));
    try {
      await intake(pieces);
    } catch (error) {
      store.set(before);
      this.#arm(album);
      throw error;
    }
  }

  #arm(album: string): void {
    if (this.#options.signal.aborted) return;
    this.#alarms.get(album)?.();
    const cancel = this.#options.clock.schedule(WAIT_MS, () => {
      // Told where it failed, and tried again.
      void this.#inTurn(() => this.#join(album)).catch(() => undefined);
    });
    this.#alarms.set(album, cancel);
  }

  #leave(): void {
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }
}
