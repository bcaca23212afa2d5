import type { Conversation, GrowingAnswer, ListedMessage } from "./conversation.ts";
import { type MessageActions, renderGrowingAnswer, renderMessage } from "./message-view.ts";

/** Nearer to the end than this, in pixels, the view follows what comes. */
const FOLLOW_PX = 80;

export interface ConversationViewParts extends MessageActions {
  readonly scroll: HTMLElement;
  readonly messages: HTMLElement;
  readonly growing: HTMLElement;
  readonly empty: HTMLElement;
}

interface Shown {
  readonly message: ListedMessage;
  readonly element: HTMLElement;
}

/** Shows a conversation; touches only what has changed, so that a selection or a scrolled block stays. */
export class ConversationView {
  readonly #parts: ConversationViewParts;
  #shown = new Map<string, Shown>();
  #shownGrowing: readonly GrowingAnswer[] = [];
  /** The end is in sight, and stays there when something comes or the room shrinks. */
  #isFollowing = true;
  /** Where the view was, the last time it was looked at. */
  #followedTop = 0;

  constructor(parts: ConversationViewParts) {
    this.#parts = parts;
    const { scroll } = parts;
    scroll.addEventListener("scroll", () => {
      this.#followedTop = scroll.scrollTop;
      this.#isFollowing = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < FOLLOW_PX;
    });
    new ResizeObserver(() => this.#follow()).observe(scroll);
  }

  show({ messages, growing }: Conversation, isLoaded: boolean): void {
    const { empty } = this.#parts;
    const last = messages.at(-1);
    if (last?.state === "pending" && !this.#shown.has(last.key)) {
      this.#isFollowing = true;
      this.#followedTop = 0;
    }
    this.#showMessages(messages, isLoaded);
    this.#showGrowing(growing);
    empty.hidden = !isLoaded || messages.length + growing.length > 0;
    this.#follow();
  }

  #follow(): void {
    const { scroll } = this.#parts;
    // A scroll is told only with the next frame: who has gone up since the view was last moved is reading.
    if (!this.#isFollowing || scroll.scrollTop < this.#followedTop - FOLLOW_PX) return;
    scroll.scrollTop = scroll.scrollHeight;
    this.#followedTop = scroll.scrollTop;
  }

  #showMessages(messages: readonly ListedMessage[], isLoaded: boolean): void {
    const { messages: list } = this.#parts;
    // Readers of the screen are told what is new, not the whole history.
    list.setAttribute("aria-busy", String(!isLoaded));
    const shown = new Map(messages.map((message) => [message.key, this.#renderOrKeep(message)]));
    for (const [key, { element }] of this.#shown) {
      if (shown.get(key)?.element !== element) element.remove();
    }
    let place = list.firstElementChild;
    for (const { element } of shown.values()) {
      if (element === place) place = place.nextElementSibling;
      else list.insertBefore(element, place);
    }
    this.#shown = shown;
  }

  #renderOrKeep(message: ListedMessage): Shown {
    const known = this.#shown.get(message.key);
    const isSame =
      known?.message.text === message.text &&
      known.message.state === message.state &&
      known.message.problem === message.problem;
    return known !== undefined && isSame ? known : { message, element: renderMessage(message, this.#parts) };
  }

  #showGrowing(growing: readonly GrowingAnswer[]): void {
    if (growing === this.#shownGrowing) return;
    this.#shownGrowing = growing;
    this.#parts.growing.replaceChildren(...growing.map(({ text }) => renderGrowingAnswer(text)));
  }
}
