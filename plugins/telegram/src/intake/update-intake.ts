/** What becomes of a batch of updates, polled or posted: translate → receive → tell moves, in the order they were given. */
import type { ChannelContext, InboundMessage, Log } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import type { CursorKeeper } from "../polling/cursor-keeper.ts";
import type { TranslatedUpdate } from "../updates/update-translation.ts";

/** Does one piece of storing; `what` is what was not stored where it fails. What it rejects with ends the batch. */
export type Commit = <Value>(what: string, work: () => Promise<Value>) => Promise<Value>;

export interface UpdateIntakeOptions extends Pick<ChannelContext<unknown>, "receive" | "migrateChat"> {
  /** Must not throw. */
  readonly translate: (update: Update) => TranslatedUpdate;
  readonly keeper: Pick<CursorKeeper, "format" | "noteStored">;
  readonly commit: Commit;
  readonly log: Log;
}

/** Resolves once the whole batch is stored; rejects with the commit that failed: then nothing of it may be confirmed. */
export type UpdateIntake = (updates: readonly Update[]) => Promise<void>;

export function createUpdateIntake(options: UpdateIntakeOptions): UpdateIntake {
  const { translate, receive, migrateChat, keeper, commit, log } = options;

  async function store(messages: readonly InboundMessage[], offset: number): Promise<void> {
    const cursor = keeper.format(offset);
    await commit(`${messages.length} messages were not stored`, () => receive(messages, { cursor }));
    keeper.noteStored(offset);
  }

  return async (updates) => {
    let batch: InboundMessage[] = [];
    let offset = 0;
    for (const update of updates) {
      const translated = translate(update);
      if (translated.kind === "move") {
        // What was written before the move belongs to the old chat.
        if (offset > 0) await store(batch, offset);
        batch = [];
        await commit("a group's new id was not stored", () => migrateChat(translated));
        log.info({ from: translated.from, to: translated.to }, "Telegram: a group became a supergroup, with a new id");
      }
      if (translated.kind === "message") batch.push(translated.message);
      if (translated.kind === "membership") log[translated.news.level]({}, translated.news.sentence);
      if (translated.kind === "ignored")
        log.debug({ updateId: update.update_id, why: translated.why }, "Telegram update ignored");
      offset = update.update_id + 1;
    }
    await store(batch, offset);
  };
}
