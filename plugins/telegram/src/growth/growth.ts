/**
 * Growing answers of an account: in private chats by Telegram's own drafts, where the server knows them; else, and in
 * groups only where the configuration asks for it, by a message that is edited and becomes the delivered one.
 */
import { type Address, type PaceAbility, type ProgressAbility, resolveChatOf } from "@banyan/plugin-sdk";
import { GrowingText, pause } from "@banyan/plugin-sdk/kit";
import type { InlineKeyboardMarkup } from "grammy/types";
import { type ChatPlace, parseChatPlace } from "../chat-place.ts";
import type { SentPart, SettledDraft } from "../sending/message-sender.ts";
import type { TelegramConfig } from "../telegram-config.ts";
import { DraftBook, type DraftBookOptions } from "./draft-book.ts";
import { buildDraftId } from "./draft-id.ts";
import { decideGrowth, FIRST_AFTER_MS, type GrowthWay, nextAfterMs, REFRESH_MS } from "./growth-way.ts";
import { createPrivateDrafts, type PrivateDrafts } from "./private-draft.ts";

export interface GrowthOptions extends DraftBookOptions {
  readonly config: Pick<TelegramConfig, "growingAnswers">;
  /** Asked before each edit, which counts as a message; absent where nothing is paced. */
  readonly pace?: PaceAbility | undefined;
  /** The button that stops it. */
  readonly buildStop: (draftId: number) => InlineKeyboardMarkup | undefined;
  readonly signal: AbortSignal;
}

interface LiveAnswer {
  readonly address: Address;
  readonly text: GrowingText;
}

/** By then the answer was on its way, or there is none. */
const FORGET_AFTER_MS = 30_000;
/** Of an answer for a draft that is under way. */
const DRAFT_PATIENCE_MS = 1_000;
/** A turn that was cut off runs again soon after a start. */
const ABANDONED_AFTER_MS = 10 * 60_000;

export class Growth {
  readonly #options: GrowthOptions;
  readonly #drafts: PrivateDrafts;
  readonly #book: DraftBook;
  readonly #live = new Map<string, LiveAnswer>();
  /** Turns of an earlier life that have not ended in this one. */
  readonly #left: Set<string>;
  readonly progress: ProgressAbility;

  constructor(options: GrowthOptions) {
    this.#options = options;
    this.#drafts = createPrivateDrafts(options);
    this.#book = new DraftBook(options);
    this.#left = new Set(this.#book.standing.map(({ turnId }) => turnId));
    this.progress = {
      update: ({ turnId, address, textSoFar }) => this.#grow(turnId, address, textSoFar),
      end: ({ turnId }) => this.#end(turnId),
    };
  }

  /**
   * Where in that chat the turn is still at work which the draft shows. Telegram names the chat alone, so of a chain of replies
   * it is known by this only. A turn that an earlier life has left counts, too: it runs again, and has said nothing yet.
   */
  findLive(draftId: number, address: Address): Address | undefined {
    const chat = resolveChatOf(address);
    const left = this.#book.standing.filter(({ turnId }) => this.#left.has(turnId));
    const live = [...this.#live].map(([turnId, { address: place }]) => ({ turnId, address: place }));
    const shown = [...live, ...left].find(
      (answer) => buildDraftId(answer.turnId) === draftId && resolveChatOf(answer.address) === chat,
    );
    return shown?.address;
  }

  /** As `DraftBook.settle`; nothing of the turn is shown any more. */
  async settle(part: SentPart, keyboard?: InlineKeyboardMarkup): Promise<SettledDraft> {
    if (part.turnId !== undefined) {
      this.#left.delete(part.turnId);
      await this.#rest(part.turnId);
    }
    return this.#book.settle(part, keyboard);
  }

  /** The turn's words stand somewhere else: nothing more of it is shown, and its message goes. */
  abandon(turnId: string): void {
    void this.#rest(turnId).then(() => this.#book.remove(turnId));
  }

  /** Sees to it that what an earlier life left standing goes, unless its turn runs again. */
  sweep(): void {
    for (const { turnId } of this.#book.standing) this.#forgetLater(turnId, ABANDONED_AFTER_MS);
  }

  /** An edit under way would come behind the last one; a draft comes to nothing, and nobody waits long for it. */
  async #rest(turnId: string): Promise<void> {
    const { clock, signal } = this.#options;
    const stopped = this.#live.get(turnId)?.text.stop();
    if (stopped === undefined) return;
    await (this.#book.has(turnId) ? stopped : Promise.race([stopped, pause(clock, DRAFT_PATIENCE_MS, signal)]));
  }

  #grow(turnId: string, address: Address, text: string): void {
    const { signal } = this.#options;
    if (signal.aborted || text.trim() === "") return;
    const live = this.#live.get(turnId) ?? this.#begin(turnId, address);
    live?.text.grow(text);
  }

  /** `undefined` where nothing is shown. */
  #begin(turnId: string, address: Address): LiveAnswer | undefined {
    const place = parseChatPlace(address);
    const first = this.#decide(turnId, place);
    if (first === "none") return undefined;
    const way = (): GrowthWay => this.#decide(turnId, place);
    const text = new GrowingText({
      clock: this.#options.clock,
      show: (shown) => this.#show(turnId, { address, place }, shown),
      firstAfterMs: FIRST_AFTER_MS[first],
      nextAfterMs: (ageMs) => nextAfterMs(way(), place, ageMs),
      ...(first === "draft" && { refreshMs: REFRESH_MS }),
    });
    const live = { address, text };
    this.#live.set(turnId, live);
    return live;
  }

  #decide(turnId: string, { isPrivate, chatId }: ChatPlace): GrowthWay {
    const { growingAnswers } = this.#options.config;
    const knowsDrafts = this.#drafts.isKnownIn(chatId);
    return decideGrowth({ growingAnswers, isPrivate, knowsDrafts, hasMessage: this.#book.has(turnId) });
  }

  #show(
    turnId: string,
    { address, place }: { readonly address: Address; readonly place: ChatPlace },
    text: string,
  ): Promise<number | undefined> {
    const { signal, pace, buildStop } = this.#options;
    const way = this.#decide(turnId, place);
    if (signal.aborted || way === "none") return Promise.resolve(undefined);
    if (way === "draft") return this.#drafts.show(turnId, place, text);
    const waitMs = pace?.take(address) ?? 0;
    return waitMs > 0
      ? Promise.resolve(waitMs)
      : this.#book.show(turnId, address, text, buildStop(buildDraftId(turnId)));
  }

  #end(turnId: string): void {
    this.#left.delete(turnId);
    const live = this.#live.get(turnId);
    if (live === undefined) return;
    void live.text.stop().then(() => {
      this.#live.delete(turnId);
      if (this.#book.has(turnId)) this.#forgetLater(turnId, FORGET_AFTER_MS);
    });
  }

  #forgetLater(turnId: string, delayMs: number): void {
    const { clock, signal } = this.#options;
    clock.schedule(delayMs, () => {
      if (signal.aborted || this.#live.has(turnId)) return;
      void this.#book.remove(turnId).then((end) => {
        if (end === "later") this.#forgetLater(turnId, delayMs);
      });
    });
  }
}
