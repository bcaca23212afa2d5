import type { ConnectionState } from "./chat-connection.ts";

/** A reconnect that takes no longer than this, in milliseconds, is not worth a word. */
const QUIET_MS = 1_500;

/** One line for what the person should know about the connection; nothing while all is well. */
export class StatusLine {
  readonly #element: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  show(state: ConnectionState, hasToken: boolean): void {
    clearTimeout(this.#timer);
    switch (state) {
      case "open":
        this.#element.hidden = true;
        break;
      case "connecting":
        this.#timer = setTimeout(() => this.#write(false, "Connecting…"), QUIET_MS);
        break;
      case "lost":
        this.#timer = setTimeout(
          () => this.#write(false, "No connection. Trying again; what you send waits here."),
          QUIET_MS,
        );
        break;
      case "unauthorized":
        this.#write(
          true,
          hasToken ? "The access token in this address is no longer valid. " : "Access token required. ",
        );
        this.#element.append("Open the address that ", code("banyan start"), " prints.");
        break;
    }
  }

  #write(isAlarm: boolean, text: string): void {
    this.#element.textContent = text;
    this.#element.classList.toggle("alarm", isAlarm);
    this.#element.hidden = false;
  }
}

function code(text: string): HTMLElement {
  const element = document.createElement("code");
  element.textContent = text;
  return element;
}
