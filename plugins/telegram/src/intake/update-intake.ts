/** What becomes of a batch of updates, polled or posted: translate → receive → tell moves, in the order they were given. */
import type { ChannelContext, InboundMessage, Log } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import type { CursorKeeper } from "../polling/cursor-keeper.ts";
import type { TopicNews } from "../threads/topic-news.ts";
import { findAlbum, joinPieces } from "../updates/album.ts";
import type { TranslatedUpdate } from "../updates/update-translation.ts";

/** Does one piece of storing; `what` is what was not stored where it fails. What it rejects with ends the batch. */
export type Commit = <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;

export interface UpdateIntakeOptions extends Pick<ChannelContext<unknown>, "receive" | "migrateChat"> {
  /** Must not throw. */
  readonly translate: (update: Update) => TranslatedUpdate;
  readonly keeper: Pick<CursorKeeper, "format" | "noteStored" | "hasPiece">;
  readonly commit: Commit;
  /** What Telegram tells of topics: resolves when what has to be stored of it is. */
  readonly takeTopicNews: (news: TopicNews) => Promise<void>;
  readonly log: Log;
}

/** Resolves once the whole batch is stored; rejects with the commit that failed: then nothing of it may be confirmed. */
export type UpdateIntake = (updates: readonly Update[]) => Promise<void>;

export function createUpdateIntake(options: UpdateIntakeOptions): UpdateIntake {
  const { translate, receive, migrateChat, keeper, commit, log } = options;

  async function store(batch: readonly Pieces[], offset: number, pieces: readonly number[]): Promise<void> {
    const messages = batch.flatMap((pieces) => joinPieces(pieces.messages) ?? []);
    const cursor = keeper.format(offset, pieces);
    await commit(`${messages.length} messages were not stored`, () => receive(messages, { cursor }));
    keeper.noteStored(offset, pieces);
  }

  return async (updates) => {
    let batch: Pieces[] = [];
    let offset = 0;
    const pieces = updates.filter((update) => findAlbum(update) !== undefined).map(({ update_id: id }) => id);
    for (const update of updates) {
      // Brought again without the others it would be a message of its own.
      if (keeper.hasPiece(update.update_id)) {
        offset = update.update_id + 1;
        continue;
      }
      const translated = translate(update);
      if (translated.kind === "move") {
        // What was written before the move belongs to the old chat.
        if (offset > 0) await store(batch, offset, []);
        batch = [];
        await commit("a group's new id was not stored", () => migrateChat(translated));
        log.info({ from: translated.from, to: translated.to }, "Telegram: a group became a supergroup, with a new id");
      }
      if (translated.kind === "topic")
        await commit("a topic's end was not stored", () => options.takeTopicNews(translated.news));
      if (translated.kind === "message") addPiece(batch, translated.message, findAlbum(update));
      if (translated.kind === "membership") log[translated.news.level]({}, translated.news.sentence);
      if (translated.kind === "ignored")
        log.debug({ updateId: update.update_id, why: translated.why }, "Telegram update ignored");
      offset = update.update_id + 1;
    }
    await store(batch, offset, pieces);
  };
}

/** A message of a batch: the pieces of an album, or its only one. */
interface Pieces {
  readonly album: string | undefined;
  readonly messages: InboundMessage[];
}

function addPiece(batch: Pieces[], message: InboundMessage, album: string | undefined): void {
  const begun = album === undefined ? undefined : batch.find((pieces) => pieces.album === album);
  if (begun === undefined) batch.push({ album, messages: [message] });
  else begun.messages.push(message);
}
