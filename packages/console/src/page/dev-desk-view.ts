import type { DeskChat, DeskMessage } from "./dev-desk-api.ts";

export interface DeskElements {
  readonly tabs: HTMLElement;
  readonly messages: HTMLElement;
  readonly person: HTMLSelectElement;
}

/** Shows the emulated Telegram: a tab for each chat, the messages of the one that is chosen. */
export class DevDeskView {
  readonly #elements: DeskElements;
  #chats: readonly DeskChat[] = [];
  #chosen: string | undefined;

  constructor(elements: DeskElements) {
    this.#elements = elements;
  }

  /** The chat that is shown. */
  get chat(): DeskChat | undefined {
    return this.#chats.find(({ id }) => id === this.#chosen) ?? this.#chats[0];
  }

  show(chats: readonly DeskChat[]): void {
    this.#chats = chats;
    const { tabs, messages, person } = this.#elements;
    const { chat } = this;
    tabs.replaceChildren(...chats.map((one) => this.#buildTab(one, one === chat)));
    if (chat === undefined) return;
    const names = [...person.options].map(({ value }) => value);
    if (names.join() !== chat.people.join()) {
      person.replaceChildren(...chat.people.map((name) => new Option(name)));
      person.hidden = chat.people.length < 2;
    }
    const isAtEnd = messages.scrollTop + messages.clientHeight >= messages.scrollHeight - 40;
    messages.replaceChildren(...chat.messages.map(buildMessage));
    if (isAtEnd) messages.scrollTop = messages.scrollHeight;
  }

  #buildTab(chat: DeskChat, isChosen: boolean): HTMLElement {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.ariaSelected = String(isChosen);
    tab.textContent = chat.title;
    tab.addEventListener("click", () => {
      this.#chosen = chat.id;
      this.show(this.#chats);
    });
    return tab;
  }
}

function buildMessage({ author, isBot, text, isEdited, at }: DeskMessage): HTMLElement {
  const name = document.createElement("b");
  name.textContent = author;
  const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const head = document.createElement("header");
  head.append(name, `${time}${isEdited ? " · edited" : ""}`);
  const body = document.createElement("p");
  body.textContent = text;
  const item = document.createElement("li");
  item.className = isBot ? "" : "own";
  item.append(head, body);
  return item;
}
