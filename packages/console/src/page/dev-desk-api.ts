/** A chat of the emulated Telegram. */
export interface DeskChat {
  readonly id: string;
  readonly title: string;
  readonly people: readonly string[];
  readonly messages: readonly DeskMessage[];
}

export interface DeskMessage {
  readonly id: number;
  readonly author: string;
  readonly isBot: boolean;
  readonly text: string;
  readonly isEdited: boolean;
  readonly at: number;
}

export interface DeskState {
  readonly tag: string;
  readonly chats: readonly DeskChat[];
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

  async say(chat: string, person: string, text: string): Promise<void> {
    await this.#call("/dev/say", { method: "POST", body: JSON.stringify({ chat, person, text }) });
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
