/** An emulated platform. */
export interface Desk {
  readonly channel: string;
  readonly title: string;
  readonly chats: readonly DeskChat[];
}

export interface DeskChat {
  readonly id: string;
  readonly title: string;
  /** The server it is in. */
  readonly place?: string;
  /** The chat that it is a thread of. */
  readonly parent?: string;
  /** Such as `archived`. */
  readonly marks: readonly string[];
  readonly people: readonly string[];
  /** A line worth trying. */
  readonly example: string;
  readonly messages: readonly DeskMessage[];
}

export interface DeskMessage {
  readonly id: string;
  readonly author: string;
  readonly isBot: boolean;
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly isEdited: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly cards: readonly { readonly title: string; readonly text: string; readonly color?: string }[];
  readonly buttons: readonly DeskButton[];
}

export interface DeskButton {
  readonly label: string;
  /** The chat that it leads to. */
  readonly chat: string;
}

export interface DeskState {
  readonly tag: string;
  readonly desks: readonly Desk[];
}

export interface DeskLine {
  readonly desk: string;
  readonly chat: string;
  readonly person: string;
  readonly text: string;
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
