import { setTimeout as sleep } from "node:timers/promises";
import { type ChatDoor, ChatRefusal, fetchHistory, openEvents, postMessage } from "./chat-client.ts";
import type { ChatEvent, ChatMessage } from "./chat-event.ts";
import { readEvents } from "./read-events.ts";
import { isAway, MAX_AWAY_MS, untilThere } from "./until-there.ts";

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
/** Enough to know which answers are still under way. */
const BACKLOG_MESSAGES = 200;
/** Ids that are known again: more than were said since the last time the history was read. */
const MOST_SEEN = 10_000;

export interface ConversationParts {
  findDoor(): Promise<ChatDoor>;
  /** Each message once, in the order of the conversation, and looks at growing answers. */
  onEvent(event: ChatEvent): void;
  /** The connection was lost (`true`) or is back (`false`). */
  onAway?(isAway: boolean): void;
}

/** The conversation of the web chat, followed over lost connections and restarts of the gateway. */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #closing = new AbortController();
  readonly #seen = new Set<string>();
  readonly #opened = Promise.withResolvers<readonly ChatMessage[]>();
  /** All up to this message was fetched; what came by events may have gaps. */
  #anchor: string | undefined;
  #following: Promise<void> | undefined;
  #isOpen = false;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /** Resolves with what was said before, oldest first; `onEvent` tells all that follows. Rejects when none is there. */
  open(): Promise<readonly ChatMessage[]> {
    this.#following ??= this.#follow();
    return this.#opened.promise;
  }

  /**
   * Says something; safe to repeat, so it is sent again until the gateway has stored it. Rejects when it refuses, and
   * when it cannot be reached for a minute.
   */
  async say(message: { readonly id: string; readonly text: string }): Promise<void> {
    const { signal } = this.#closing;
    const begun = performance.now();
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      try {
        await postMessage(await this.#parts.findDoor(), message, signal);
        break;
      } catch (error) {
        const isFinal = error instanceof ChatRefusal && !error.isPassing;
        if (isFinal || signal.aborted || performance.now() - begun > MAX_AWAY_MS) throw error;
        await sleep(waitMs, undefined, { signal });
      }
    }
    await this.#catchUpTo(message.id);
    // No event ever comes for a message that was sent twice.
    this.#accept({ ...message, role: "user", kind: "message", at: Date.now() });
  }

  /** Reports everything that is in the conversation by now: an event may still be on its way. */
  catchUp(): Promise<void> {
    return this.#catchUpTo(undefined);
  }

  /** The same up to one message: earlier messages of others come before it, and answers arrive as events. */
  async #catchUpTo(id: string | undefined): Promise<void> {
    const fetchAll = async () => this.#fetchMissed(await this.#parts.findDoor());
    for (const message of await untilThere(fetchAll, this.#closing.signal)) {
      this.#accept(message);
      this.#anchor = message.id;
      if (message.id === id) return;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    const begunMs = performance.now();
    let waitMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        await this.#listen(() => {
          if (this.#isOpen) this.#parts.onAway?.(false);
          waitMs = FIRST_RETRY_MS;
        });
      } catch (error) {
        const isFinal = !isAway(error) || performance.now() - begunMs > MAX_AWAY_MS;
        if (!this.#isOpen && isFinal) return this.#opened.reject(error);
      }
      if (signal.aborted) return;
      if (this.#isOpen && waitMs === FIRST_RETRY_MS) this.#parts.onAway?.(true);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
    }
  }

  /** One connection, from its opening to its loss. */
  async #listen(onOpen: () => void): Promise<void> {
    const { signal } = this.#closing;
    const door = await this.#parts.findDoor();
    // The stream first: what happens while the history is read waits in it.
    const events = await openEvents(door, signal);
    const missed = await this.#fetchMissed(door);
    this.#anchor = missed.at(-1)?.id ?? this.#anchor;
    onOpen();
    if (this.#isOpen) for (const message of missed) this.#accept(message);
    else this.#begin(missed);
    for await (const event of readEvents(events)) {
      if (event.type === "message") this.#accept(event.message);
      else this.#parts.onEvent(event);
    }
  }

  #begin(backlog: readonly ChatMessage[]): void {
    this.#isOpen = true;
    for (const { id } of backlog) this.#seen.add(id);
    this.#opened.resolve(backlog);
  }

  async #fetchMissed(door: ChatDoor): Promise<readonly ChatMessage[]> {
    const { signal } = this.#closing;
    if (this.#anchor === undefined) return fetchHistory(door, { limit: BACKLOG_MESSAGES }, signal);
    try {
      return await fetchHistory(door, { after: this.#anchor }, signal);
    } catch (error) {
      if (!(error instanceof ChatRefusal) || error.status !== 400) throw error;
      // Another database, or an old one pruned: the anchor is gone.
      return fetchHistory(door, { limit: BACKLOG_MESSAGES }, signal);
    }
  }

  #accept(message: ChatMessage): void {
    if (this.#seen.has(message.id)) return;
    this.#seen.add(message.id);
    const [oldest] = this.#seen;
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    this.#parts.onEvent({ type: "message", message });
  }
}
