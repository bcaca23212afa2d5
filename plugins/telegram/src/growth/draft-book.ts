/**
 * Growing answers as messages that are edited, where Telegram has no drafts. A message is written down before it is sent,
 * under its turn, and without a word of the answer: Telegram knows no key and no history, so of one whose sending was cut
 * off nobody can say whether it stands. The delivery of the turn's answer turns it into its first part by an edit, which may
 * be made again, in whichever process.
 */
import {
  type Address,
  ChannelError,
  type ChannelErrorClass,
  type Clock,
  type Log,
  REFUSED_CLASSES,
} from "@banyan/plugin-sdk";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Bot } from "grammy/web";
import { parseChatPlace } from "../chat-place.ts";
import { type RenderedMarkdown, renderMarkdown } from "../markdown/render-markdown.ts";
import { editBeforeNext, editWhereRead, type MessageEditOptions } from "../sending/message-edit.ts";
import { buildReply, type SentPart, type SettledDraft } from "../sending/message-sender.ts";
import { hasStrayed } from "../threads/strayed-message.ts";
import { type Draft, dropDraft, findDraft, hasRoomForDraft, putDraft } from "./draft.ts";
import type { DraftStore } from "./draft-store.ts";
import { GROWING_MARK, renderGrowing } from "./growing-look.ts";
import { UnclearCalls } from "./unclear-calls.ts";

export interface DraftBookOptions extends MessageEditOptions {
  readonly bot: Bot;
  readonly store: DraftStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** The message is there, without words; they follow as soon as the chat's pace allows another call. */
const WORDS_AFTER_MS = 1_000;
/** Nothing stands there for certain. */
const NOT_SENT: ReadonlySet<ChannelErrorClass> = new Set([...REFUSED_CLASSES, "definite", "rate_limited"]);

const REFUSED_EDIT = "a growing answer could not be edited into the answer on Telegram; it is sent as a new message";

export class DraftBook {
  readonly #options: DraftBookOptions;
  readonly #removals = new Map<string, Promise<unknown>>();
  /** Turns whose answer is being put in place of the draft: it is no longer anybody's to take away. */
  readonly #settling = new Set<string>();
  readonly #unclear: UnclearCalls;

  constructor(options: DraftBookOptions) {
    this.#options = options;
    this.#unclear = new UnclearCalls(options.clock);
    // The last edit of an earlier life may still be on its way: where that died, nobody heard its end.
    for (const { turnId, messageId } of this.standing) if (messageId !== undefined) this.#unclear.note(turnId);
  }

  /** Those that are no answer yet. */
  get standing(): readonly Draft[] {
    return this.#options.store.drafts.filter(({ delivery }) => delivery === undefined);
  }

  has(turnId: string): boolean {
    return this.#find(turnId) !== undefined;
  }

  /** Never rejects: only a courtesy, the answer itself is delivered. As `GrowingTextOptions.show`. */
  async show(
    turnId: string,
    address: Address,
    text: string,
    keyboard?: InlineKeyboardMarkup,
  ): Promise<number | undefined> {
    try {
      const known = this.#find(turnId);
      if (known === undefined) return await this.#begin(turnId, address);
      if (known.delivery !== undefined || known.messageId === undefined) return undefined;
      await this.#edit(known, known.messageId, renderGrowing(text), keyboard);
      return undefined;
    } catch (error) {
      this.#options.log.debug({ err: error, turnId }, "a growing answer could not be shown on Telegram");
      if (!(error instanceof ChannelError)) return undefined;
      if (error.class === "message_gone" || error.class === "migrated") await this.#leave(turnId);
      if (error.class === "ambiguous") this.#unclear.note(turnId);
      return error.retryAfterMs;
    }
  }

  /** Turns the turn's message into the part. */
  async settle(sent: SentPart, keyboard?: InlineKeyboardMarkup): Promise<SettledDraft> {
    const { turnId, part, deliveryId, address, text, repeatMark = "" } = sent;
    if (turnId === undefined || part !== 0) return undefined;
    this.#settling.add(turnId);
    try {
      // What is being deleted takes no answer in.
      await this.#removals.get(turnId);
      const draft = this.#find(turnId);
      if (draft === undefined || draft.address !== address) return undefined;
      // It is another message of the same turn already.
      if (draft.delivery !== undefined && draft.delivery !== deliveryId) return undefined;
      if (draft.delivery === undefined && this.#unclear.mayComeYet(turnId)) {
        // Half a text, or a deletion, may come after the answer; no part of the answer was ever put into this message.
        await this.#makeRoom(draft);
        return "unsent";
      }
      if (draft.messageId !== undefined) {
        // It is this message whatever became of an earlier attempt, so nothing of it can stand there twice.
        const rendered = renderMarkdown(text.slice(repeatMark.length));
        await this.#put({ ...draft, delivery: deliveryId });
        if (await this.#turnInto(draft, draft.messageId, rendered, keyboard))
          return { platformId: String(draft.messageId) };
      }
      await this.#drop(turnId);
      return undefined;
    } finally {
      this.#settling.delete(turnId);
    }
  }

  /** Takes away what shows a turn that has no answer. Never rejects: what still stands is told to the operator. */
  async remove(turnId: string): Promise<"removed" | "later"> {
    if (this.#settling.has(turnId)) return "later";
    const draft = this.#find(turnId);
    if (draft === undefined || draft.delivery !== undefined) return "removed";
    const removal = this.#takeAway(draft)
      .catch((err: unknown) => {
        this.#options.log.warn({ err, turnId }, "a growing answer without an end still stands on Telegram");
      })
      .finally(() => this.#removals.delete(turnId));
    this.#removals.set(turnId, removal);
    await removal;
    return "removed";
  }

  async #begin(turnId: string, address: Address): Promise<number | undefined> {
    const { store, clock, bot, reportFault } = this.#options;
    if (!hasRoomForDraft(store.drafts)) return undefined;
    const place = parseChatPlace(address);
    const { chatId, topic, starterId } = place;
    const draft: Draft = { turnId, address, at: clock.now() };
    await this.#put(draft);
    try {
      const sent = await bot.api.sendMessage(chatId, GROWING_MARK, { ...topic, ...buildReply(starterId) });
      const { message_id: messageId } = sent;
      // Where its topic is gone nothing is shown of it; the answer itself is told to be beside its topic.
      if (hasStrayed(place, sent)) {
        await bot.api.deleteMessage(chatId, messageId);
        return undefined;
      }
      await this.#put({ ...draft, messageId });
      return WORDS_AFTER_MS;
    } catch (error) {
      const failure = reportFault(`Beginning a growing answer in Telegram chat ${chatId}`, error);
      if (NOT_SENT.has(failure.class)) await this.#drop(turnId);
      throw failure;
    }
  }

  #edit(
    { address }: Draft,
    messageId: number,
    rendered: RenderedMarkdown,
    keyboard?: InlineKeyboardMarkup,
  ): Promise<void> {
    const { chatId } = parseChatPlace(address);
    return editBeforeNext(this.#options, { chatId, messageId, rendered, keyboard });
  }

  /**
   * `false` where Telegram does not take the edit: the part is sent as a new message. Before that the draft is deleted as
   * far as Telegram allows it, and forgotten, so that no later process edits the part into it as well.
   */
  async #turnInto(
    draft: Draft,
    messageId: number,
    rendered: RenderedMarkdown,
    keyboard: InlineKeyboardMarkup | undefined,
  ): Promise<boolean> {
    try {
      const { chatId } = parseChatPlace(draft.address);
      await editWhereRead(this.#options, { chatId, messageId, rendered, keyboard });
      return true;
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error;
      if (error.class === "message_gone") return false;
      if (REFUSED_CLASSES.has(error.class)) {
        this.#options.log.warn({ err: error, turnId: draft.turnId }, REFUSED_EDIT);
        const isDeleted = await this.#makeRoom(draft);
        if (isDeleted || draft.delivery === undefined) return false;
        // An edit of an earlier attempt may have been made.
        throw new ChannelError("ambiguous", error.message, { cause: error });
      }
      // The same edit again gives the same message: it can stand there once only, so nothing needs a mark.
      throw toUnsent(error);
    }
  }

  /** As `#takeAway`, in a delivery: nothing of it stands anywhere, and it begins again where the message is not gone. */
  async #makeRoom(draft: Draft): Promise<boolean> {
    try {
      return await this.#takeAway(draft);
    } catch (error) {
      throw error instanceof ChannelError ? toUnsent(error) : error;
    }
  }

  /** `false` where Telegram did not delete it: it is gone already, or stays. */
  async #takeAway({ turnId, address, messageId }: Draft): Promise<boolean> {
    const { bot, reportFault } = this.#options;
    const { chatId } = parseChatPlace(address);
    let isDeleted = true;
    if (messageId !== undefined) {
      await bot.api.deleteMessage(chatId, messageId).catch((error: unknown) => {
        const failure = reportFault(`Deleting a growing answer in Telegram chat ${chatId}`, error);
        // It may still be deleted, with whatever stands in it by then.
        if (failure.class === "ambiguous") this.#unclear.note(turnId);
        // It is gone already, or so old that it stays: T10.
        if (!REFUSED_CLASSES.has(failure.class)) throw failure;
        isDeleted = false;
      });
    }
    await this.#drop(turnId);
    return isDeleted;
  }

  /** A person has deleted it: nothing is shown of this answer any more. */
  async #leave(turnId: string): Promise<void> {
    const draft = this.#find(turnId);
    if (draft === undefined) return;
    const { messageId: _, ...rest } = draft;
    await this.#put(rest).catch((err: unknown) => {
      this.#options.log.debug({ err, turnId }, "that a growing answer was deleted is not written down");
    });
  }

  #find(turnId: string): Draft | undefined {
    return findDraft(this.#options.store.drafts, turnId);
  }

  async #put(draft: Draft): Promise<void> {
    const { store, clock } = this.#options;
    await store.store((drafts) => putDraft(drafts, draft, clock.now()));
  }

  async #drop(turnId: string): Promise<void> {
    await this.#options.store.store((drafts) => dropDraft(drafts, turnId));
  }
}

/** For what may be tried again without a second message. */
function toUnsent(error: ChannelError): ChannelError {
  return error.class === "ambiguous" ? new ChannelError("definite", error.message, { cause: error }) : error;
}
