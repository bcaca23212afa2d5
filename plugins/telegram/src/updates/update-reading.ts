import type { Log } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import type { ButtonDesk } from "../buttons/button-desk.ts";
import type { Growth } from "../growth/growth.ts";
import type { ShutTopics } from "../threads/shut-topic.ts";
import type { BotIdentity } from "./bot-identity.ts";
import { type TranslatedUpdate, translateUpdate } from "./update-translation.ts";

export interface UpdateReadingOptions {
  readonly me: BotIdentity;
  readonly buttons: ButtonDesk;
  readonly growth: Growth;
  readonly shutTopics: Pick<ShutTopics, "isShut" | "noteOpen">;
  /** Milliseconds since the epoch, by the platform's clock as near as can be told: such updates have no date. */
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Reads updates for the intake: what people do with buttons becomes the command that they would have typed. Never throws:
 * one update that cannot be read must not stop all others, nor come again for ever; it is logged and left out.
 */
export function createUpdateReading(options: UpdateReadingOptions): (update: Update) => TranslatedUpdate {
  return (update) => {
    try {
      // Its rights may be others now.
      if (update.my_chat_member !== undefined) options.shutTopics.noteOpen(update.my_chat_member.chat.id);
      return resolve(translateUpdate(update, options.me), options);
    } catch (err) {
      options.log.error({ err, updateId: update.update_id }, "Telegram update could not be translated and is left out");
      return { kind: "ignored", why: "unknown_kind" };
    }
  };
}

function resolve(translated: TranslatedUpdate, options: UpdateReadingOptions): TranslatedUpdate {
  const { buttons, growth, now, shutTopics } = options;
  if (translated.kind === "press") {
    const message = buttons.press(translated.press);
    return message === undefined ? { kind: "ignored", why: "refused_button" } : { kind: "message", message };
  }
  // An agent would work for an answer that no one gets there; people in the chat know the reason.
  if (translated.kind === "message" && shutTopics.isShut(translated.message.address))
    return { kind: "ignored", why: "shut_topic" };
  if (translated.kind === "stop") {
    const { draftId, message } = translated.stopped;
    const address = growth.findLive(draftId, message.address);
    // The turn has ended by now: a command would stop the next one.
    if (address === undefined) return { kind: "ignored", why: "ended_draft" };
    return { kind: "message", message: { ...message, address, at: now() } };
  }
  return translated;
}
