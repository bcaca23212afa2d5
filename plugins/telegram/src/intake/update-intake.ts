/** What becomes of a batch of updates, polled or posted: translate → receive → tell moves, in the order they were given. */
import type { ChannelContext, InboundMessage, Log } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import type { CursorKeeper } from "../polling/cursor-keeper.ts";
import type { TopicNews } from "../threads/topic-news.ts";
import { findAlbum, joinPieces } from "../updates/album.ts";
import type { TranslatedUpdate } from "../updates/update-translation.ts";
import type { HeldPieces, PieceStore } from "./piece-store.ts";

/** Does one piece of storing; `what` is what was not stored where it fails. What it rejects with ends the batch. */
export type Commit = <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;

export interface UpdateIntakeOptions extends Pick<ChannelContext<unknown>, "migrateChat"> {
  /** Must not throw. */
  readonly translate: (update: Update) => TranslatedUpdate;
  readonly store: Pick<PieceStore, "receive">;
  readonly keeper: Pick<CursorKeeper, "format" | "noteStored">;
  readonly commit: Commit;
  /** What Telegram tells of topics: resolves when what has to be stored of it is. */
  readonly takeTopicNews: (news: TopicNews) => Promise<void>;
  readonly log: Log;
}

/** Resolves once the whole batch is stored; rejects with the commit that failed: then nothing of it may be confirmed. */
export type UpdateIntake = (updates: readonly Update[]) => Promise<void>;

export interface StoredWith {
  /** The pieces of albums that are held from this write on. */
  readonly held: HeldPieces;
  /** Of the updates that are stored with this, pieces that are held and what is ignored included. */
  readonly ids: readonly number[];
  /** Added to the text of each message. */
  readonly note?: string;
}

/** As `UpdateIntake`. With an empty batch it stores only the rest. */
export type StoreUpdates = (updates: readonly Update[], options: StoredWith) => Promise<void>;

export function createUpdateIntake(options: UpdateIntakeOptions): StoreUpdates {
  const { translate, migrateChat, keeper, commit, log } = options;

  async function store(batch: readonly Pieces[], { held, ids, note }: StoredWith): Promise<void> {
    const messages = batch.flatMap((pieces) => joinPieces(pieces.messages) ?? []).map((one) => addNote(one, note));
    const pieces = batch.flatMap((one) => (one.album === undefined ? [] : one.ids));
    const cursor = keeper.format(ids, pieces);
    const what = messages.length === 0 && held.pieces.length > 0 ? "files of an album" : `${messages.length} messages`;
    await commit(`${what} were not stored`, () => options.store.receive(messages, { cursor }, held));
    keeper.noteStored(ids, pieces);
  }

  return async (updates, storing) => {
    let batch: Pieces[] = [];
    for (const update of updates) {
      const translated = translate(update);
      if (translated.kind === "move") {
        // What was written before the move belongs to the old chat.
        if (batch.length > 0) await store(batch, { ...storing, ids: [] });
        batch = [];
        await commit("a group's new id was not stored", () => migrateChat(translated));
        log.info({ from: translated.from, to: translated.to }, "Telegram: a group became a supergroup, with a new id");
      }
      if (translated.kind === "topic")
        await commit("a topic's end was not stored", () => options.takeTopicNews(translated.news));
      if (translated.kind === "message") addPiece(batch, translated.message, update);
      if (translated.kind === "membership") log[translated.news.level]({}, translated.news.sentence);
      if (translated.kind === "ignored")
        log.debug({ updateId: update.update_id, why: translated.why }, "Telegram update ignored");
    }
    await store(batch, storing);
  };
}

function addNote(message: InboundMessage, note: string | undefined): InboundMessage {
  if (note === undefined) return message;
  return { ...message, text: message.text === "" ? note : `${message.text}\n${note}` };
}

/** A message of a batch: the pieces of an album, or its only one. */
interface Pieces {
  readonly album: string | undefined;
  readonly ids: number[];
  readonly messages: InboundMessage[];
}

function addPiece(batch: Pieces[], message: InboundMessage, update: Update): void {
  const album = findAlbum(update);
  const begun = album === undefined ? undefined : batch.find((pieces) => pieces.album === album);
  if (begun === undefined) batch.push({ album, ids: [update.update_id], messages: [message] });
  else {
    begun.ids.push(update.update_id);
    begun.messages.push(message);
  }
}
