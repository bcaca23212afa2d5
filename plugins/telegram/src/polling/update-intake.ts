/** What becomes of a batch of updates: translate → receive → tell moves, in the order in which Telegram gave them. */
import type { ChannelContext, InboundMessage } from "@banyan/plugin-sdk";
import { decideBackoffMs, pause, settleUnlessAborted } from "@banyan/plugin-sdk/kit";
import type { Update } from "grammy/types";
import type { TopicNews } from "../threads/topic-news.ts";
import { findAlbum, joinPieces } from "../updates/album.ts";
import type { TranslatedUpdate } from "../updates/update-translation.ts";
import type { CursorKeeper } from "./cursor-keeper.ts";
import type { PollSurroundings } from "./poll-surroundings.ts";

export interface UpdateIntakeOptions
  extends PollSurroundings,
    Pick<ChannelContext<unknown>, "receive" | "migrateChat"> {
  /** Must not throw. */
  readonly translate: (update: Update) => TranslatedUpdate;
  readonly keeper: CursorKeeper;
  /** What Telegram tells of topics: resolves when what has to be stored of it is. */
  readonly takeTopicNews: (news: TopicNews) => Promise<void>;
}

/** Resolves once the whole batch is stored; rejects only when the signal aborts. */
export type UpdateIntake = (updates: readonly Update[]) => Promise<void>;

export function createUpdateIntake(options: UpdateIntakeOptions): UpdateIntake {
  const { translate, receive, migrateChat, keeper, log } = options;

  async function store(batch: readonly Pieces[], offset: number): Promise<void> {
    const messages = batch.flatMap((pieces) => joinPieces(pieces.messages) ?? []);
    const cursor = keeper.format(offset);
    await insist(options, `${messages.length} messages were not stored`, () => receive(messages, { cursor }));
    keeper.noteStored(offset);
  }

  return async (updates) => {
    let batch: Pieces[] = [];
    let offset = 0;
    for (const update of updates) {
      const translated = translate(update);
      if (translated.kind === "move") {
        // What was written before the move belongs to the old chat.
        if (offset > 0) await store(batch, offset);
        batch = [];
        await insist(options, "a group's new id was not stored", () => migrateChat(translated));
        log.info({ from: translated.from, to: translated.to }, "Telegram: a group became a supergroup, with a new id");
      }
      if (translated.kind === "topic")
        await insist(options, "a topic's end was not stored", () => options.takeTopicNews(translated.news));
      if (translated.kind === "message") addPiece(batch, translated.message, findAlbum(update));
      if (translated.kind === "membership") log[translated.news.level]({}, translated.news.sentence);
      if (translated.kind === "ignored")
        log.debug({ updateId: update.update_id, why: translated.why }, "Telegram update ignored");
      offset = update.update_id + 1;
    }
    await store(batch, offset);
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

/** Does a piece of storing again until it is done: what is not stored must not be confirmed. */
async function insist<Value>(options: UpdateIntakeOptions, what: string, work: () => Promise<Value>): Promise<Value> {
  const { health, clock, random, signal, reportFault } = options;
  for (let failures = 0; ; failures += 1) {
    try {
      return await settleUnlessAborted(work(), signal);
    } catch (error) {
      signal.throwIfAborted();
      const advice = "they wait at Telegram and are taken in again";
      health.retry(reportFault("Receiving from Telegram", error, { class: "definite", what, advice }));
      await pause(clock, decideBackoffMs(failures, random()), signal);
      signal.throwIfAborted();
    }
  }
}
