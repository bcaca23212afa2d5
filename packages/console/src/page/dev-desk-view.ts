import type { DeskChat } from "./desk-chat.ts";
import { buildChatTabs } from "./dev-chat-tabs.ts";
import type { Desk } from "./dev-desk-api.ts";
import { buildDeskMessage } from "./dev-message-view.ts";

export interface DeskElements {
  readonly chats: HTMLElement;
  readonly messages: HTMLElement;
  readonly empty: HTMLElement;
  readonly example: HTMLElement;
  readonly person: HTMLSelectElement;
  readonly text: HTMLInputElement;
}

/** A chat and the desk it is on. */
export interface PlacedChat {
  readonly desk: Desk;
  readonly chat: DeskChat;
}

/** Nearer to its end than this, a list is read to the end. */
const END_PX = 40;

/** Shows the emulated platforms: a tab for each chat, the messages of the one that is chosen. */
export class DevDeskView {
  readonly #elements: DeskElements;
  readonly #press: (placed: PlacedChat, message: string, button: string) => void;
  #desks: readonly Desk[] = [];
  #chosen: string | undefined;
  /** The last message that was seen, by chat. */
  readonly #seen = new Map<string, string | undefined>();
  /** What the elements show now, so that they are made anew only for something else. */
  #shown = { tabs: "", messages: "" };

  /** `press` is told of a button that tells the bot: where it stands, below which message, and its id. */
  constructor(elements: DeskElements, press: (placed: PlacedChat, message: string, button: string) => void) {
    this.#elements = elements;
    this.#press = press;
  }

  /** The chat that is shown. */
  get placed(): PlacedChat | undefined {
    const all = this.#desks.flatMap((desk) => desk.chats.map((chat) => ({ desk, chat })));
    return all.find((placed) => nameChat(placed) === this.#chosen) ?? all[0];
  }

  show(desks: readonly Desk[]): void {
    const isFirst = this.#desks.length === 0;
    this.#desks = desks;
    const { placed } = this;
    if (placed === undefined) return;
    // What was there before the page was opened is no news.
    if (isFirst) for (const desk of desks) for (const chat of desk.chats) this.#look({ desk, chat });
    this.#look(placed);
    this.#showTabs(placed);
    this.#showPeople(placed.chat);
    this.#showMessages(placed);
  }

  #choose(name: string): void {
    this.#chosen = name;
    this.show(this.#desks);
    this.#elements.text.focus({ preventScroll: true });
  }

  #look(placed: PlacedChat): void {
    this.#seen.set(nameChat(placed), placed.chat.messages.at(-1)?.id);
  }

  #showTabs(chosen: PlacedChat): void {
    const tabs = this.#desks.map((desk) => ({
      channel: desk.channel,
      title: desk.title,
      tabs: desk.chats.map((chat) => {
        const name = nameChat({ desk, chat });
        const { title, place, marks } = chat;
        const last = chat.messages.at(-1)?.id;
        const isNews = this.#seen.get(name) !== last && last !== undefined;
        const isThread = chat.parent !== undefined;
        return { name, title, marks, isThread, isNews, isChosen: name === nameChat(chosen), ...(place && { place }) };
      }),
    }));
    const shown = JSON.stringify(tabs);
    if (shown === this.#shown.tabs) return;
    this.#shown.tabs = shown;
    this.#elements.chats.replaceChildren(...tabs.map((desk) => buildChatTabs(desk, (name) => this.#choose(name))));
  }

  #showPeople({ title, people }: DeskChat): void {
    const { person, text } = this.#elements;
    text.placeholder = `Write in ${title}`;
    const names = [...person.options].map(({ value }) => value);
    if (names.join() === people.join()) return;
    person.replaceChildren(...people.map((name) => new Option(name)));
    person.hidden = people.length < 2;
  }

  #showMessages(placed: PlacedChat): void {
    const { messages, empty, example } = this.#elements;
    const { chat, desk } = placed;
    const shown = JSON.stringify([nameChat(placed), chat.messages]);
    if (shown === this.#shown.messages) return;
    this.#shown.messages = shown;
    empty.hidden = chat.messages.length > 0;
    example.textContent = chat.example;
    const isAtEnd = messages.scrollTop + messages.clientHeight >= messages.scrollHeight - END_PX;
    const items = chat.messages.map((message) =>
      buildDeskMessage(message, (button) => {
        if ("chat" in button) this.#choose(`${desk.channel}/${button.chat}`);
        else this.#press(placed, message.id, button.id);
      }),
    );
    messages.replaceChildren(...items);
    if (isAtEnd) messages.scrollTop = messages.scrollHeight;
  }
}

function nameChat({ desk, chat }: PlacedChat): string {
  return `${desk.channel}/${chat.id}`;
}
