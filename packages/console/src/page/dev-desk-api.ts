import type { DeskChat } from "./desk-chat.ts";

/** An emulated platform. */
export interface Desk {
  readonly channel: string;
  readonly title: string;
  readonly chats: readonly DeskChat[];
}

export interface DeskState {
  readonly tag: string;
  readonly desks: readonly Desk[];
}

/** Where and as whom somebody does something. */
export interface DeskActor {
  readonly desk: string;
  readonly chat: string;
  readonly person: string;
}

export interface DeskLine extends DeskActor {
  readonly text: string;
}

export interface DeskPress extends DeskActor {
  readonly message: string;
  readonly button: string;
}

/** What the page of `banyan dev` asks of the gateway. */
export class DevDeskApi {
  readonly #getToken: () => string | undefined;

  constructor(getToken: () => string | undefined) {
    this.#getToken = getToken;
  }

  /** Answers when the chats are others than those with this tag, or after a while. Throws an `Error` with a sentence. */
  async chats(known: string): Promise<DeskState> {
    const response = await this.#call(`/dev/chats?known=${encodeURIComponent(known)}`, {});
    return response.json();
  }

  async say(line: DeskLine): Promise<void> {
    await this.#call("/dev/say", { method: "POST", body: JSON.stringify(line) });
  }

  /** What the one who pressed is told alone. */
  async press(press: DeskPress): Promise<string> {
    const response = await this.#call("/dev/press", { method: "POST", body: JSON.stringify(press) });
    const { told = "" }: { told?: string } = await response.json();
    return told;
  }

  async #call(path: string, request: RequestInit): Promise<Response> {
    const token = this.#getToken();
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(path, { ...request, headers });
    if (response.ok) return response;
    const { error = `The gateway answered ${response.status}` }: { error?: string } = await response
      .json()
      .catch(() => ({}));
    throw new Error(error);
  }
}
