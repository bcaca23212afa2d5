import type { ChatApi } from "./chat-api.ts";
import { type ChatEvent, parseChatEvent } from "./chat-event.ts";
import type { ConversationChange, ListedMessage } from "./conversation.ts";
import { EventReader } from "./event-reader.ts";
import { decideRetryWaitMs, REFUSED_WAIT_MS, RetryWait } from "./retry-wait.ts";

/** Three pings of the server did not come: the connection is dead, whatever the browser believes. */
const SILENCE_LIMIT_MS = 45_000;

export type ConnectionState = "connecting" | "open" | "lost" | "unauthorized";

export interface ChatConnectionParts {
  readonly api: Pick<ChatApi, "openEvents" | "readHistory">;
  /** From where the history is read after a gap. */
  getReloadPoint(): ListedMessage | undefined;
  change(change: ConversationChange): void;
  onState(state: ConnectionState): void;
}

/**
 * Keeps the conversation in step with the server. The stream is opened before the history is read and read after it,
 * so nothing can fall between the two.
 */
export class ChatConnection {
  readonly #parts: ChatConnectionParts;
  readonly #wait = new RetryWait();

  constructor(parts: ChatConnectionParts) {
    this.#parts = parts;
  }

  /** The network or the token is new: no reason to wait. */
  wake(): void {
    this.#wait.cut();
  }

  /** Never ends. */
  async run(): Promise<never> {
    this.#parts.onState("connecting");
    for (let tries = 0; ; tries += 1) {
      const end = await this.#connect(() => {
        tries = 0;
      });
      this.#parts.onState(end);
      const waitMs = end === "unauthorized" ? REFUSED_WAIT_MS : decideRetryWaitMs(tries, Math.random());
      await this.#wait.wait(waitMs);
    }
  }

  async #connect(onOpen: () => void): Promise<"lost" | "unauthorized"> {
    const { api, getReloadPoint, change, onState } = this.#parts;
    const line = new Line();
    try {
      const events = await api.openEvents(line.signal);
      if (events.status !== "open") return events.status === "unauthorized" ? "unauthorized" : "lost";
      const point = getReloadPoint();
      const history = await api.readHistory(point?.id);
      if (history.status !== "read") return history.status === "unauthorized" ? "unauthorized" : "lost";
      change({ type: "loaded", messages: history.messages, afterKey: history.isFromPoint ? point?.key : undefined });
      onOpen();
      onState("open");
      await this.#follow(events.body, line);
      return "lost";
    } finally {
      line.close();
    }
  }

  /** Resolves when the stream has ended, by whatever end. */
  async #follow(body: ReadableStream<Uint8Array<ArrayBuffer>>, line: Line): Promise<void> {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventReader();
    for (;;) {
      line.heard();
      // A stream that breaks is a stream that ended: it is opened again.
      const next = await reader.read().catch(() => undefined);
      if (next === undefined || next.done) return;
      for (const { type, data } of events.read(next.value)) {
        const event = parseChatEvent(type, data);
        if (event !== undefined) this.#parts.change(decideChange(event));
      }
    }
  }
}

/** One connection. It ends itself when nothing is heard for too long. */
class Line {
  readonly #leaving = new AbortController();
  #alarm: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  heard(): void {
    clearTimeout(this.#alarm);
    this.#alarm = setTimeout(() => this.#leaving.abort(), SILENCE_LIMIT_MS);
  }

  close(): void {
    clearTimeout(this.#alarm);
    this.#leaving.abort();
  }
}

function decideChange(event: ChatEvent): ConversationChange {
  switch (event.type) {
    case "message":
      return { type: "arrived", message: event.message };
    case "progress":
      return { type: "grew", turnId: event.turnId, text: event.text };
    case "progress_end":
      return { type: "stopped_growing", turnId: event.turnId };
  }
}
