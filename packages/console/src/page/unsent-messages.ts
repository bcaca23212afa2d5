const STORAGE_KEY = "banyan.unsent";

/** A message of the person's own that the server has not confirmed. */
export interface UnsentMessage {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

/** Reads what an earlier life of the tab wrote; what cannot be read is left out. */
export function parseUnsentMessages(stored: string | null): readonly UnsentMessage[] {
  try {
    const values: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(values) ? values.map(parseUnsent).filter((message) => message !== undefined) : [];
  } catch {
    // Not written by this page: then there is nothing of ours in it.
    return [];
  }
}

/** Messages under way, kept over a reload of the tab: sent again under the same id, they arrive once. */
export class UnsentMessages {
  #messages: readonly UnsentMessage[] = parseUnsentMessages(sessionStorage.getItem(STORAGE_KEY));

  get list(): readonly UnsentMessage[] {
    return this.#messages;
  }

  add(message: UnsentMessage): void {
    this.#write([...this.#messages, message]);
  }

  remove(id: string): void {
    this.#write(this.#messages.filter((message) => message.id !== id));
  }

  #write(messages: readonly UnsentMessage[]): void {
    this.#messages = messages;
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(messages));
    } catch (error) {
      // Over the browser's quota: it is sent all the same, only a reload meanwhile would forget it.
      console.warn("Unsent messages are not kept over a reload", error);
    }
  }
}

function parseUnsent(value: unknown): UnsentMessage | undefined {
  if (typeof value !== "object" || value === null || !("id" in value && "text" in value && "at" in value))
    return undefined;
  const { id, text, at } = value;
  return typeof id === "string" && typeof text === "string" && typeof at === "number" ? { id, text, at } : undefined;
}
