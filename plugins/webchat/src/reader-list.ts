import type { Clock } from "@banyan/plugin-sdk";
import { type ChatEvent, formatChatEvent, formatPing } from "./chat-event.ts";
import { ReaderStream } from "./reader-stream.ts";

/** Tabs and terminals open at once: far more than one operator has, few enough to hold in memory. */
const MOST_READERS = 100;
/** Shorter than the patience of proxies and of the page, which take a silent connection for a dead one. */
const PING_INTERVAL_MS = 15_000;

/** Who reads along, by peer. */
export class ReaderList {
  readonly #readers = new Map<string, Set<ReaderStream>>();
  readonly #clock: Clock;
  #count = 0;
  #cancelPing: (() => void) | undefined;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new reader, told `first`; `undefined` when there are too many or all is closed. */
  open(peer: string, first: readonly ChatEvent[]): ReadableStream<Uint8Array> | undefined {
    if (this.#isClosed || this.#count >= MOST_READERS) return undefined;
    const readers = this.#readers.get(peer) ?? new Set();
    const reader = new ReaderStream(() => {
      this.#count -= 1;
      readers.delete(reader);
      if (readers.size === 0) this.#readers.delete(peer);
    });
    this.#readers.set(peer, readers.add(reader));
    this.#count += 1;
    // Bytes at once, so that whatever stands between passes the answer's head on.
    reader.write(formatPing());
    for (const event of first) reader.write(formatChatEvent(event));
    if (this.#cancelPing === undefined) this.#schedulePing();
    return reader.body;
  }

  /** Tells every reader of the peer; `isVolatile` leaves out those that are slow. */
  tell(peer: string, event: ChatEvent, options: { isVolatile?: boolean } = {}): void {
    const readers = this.#readers.get(peer);
    if (readers === undefined) return;
    const bytes = formatChatEvent(event);
    for (const reader of [...readers]) {
      if (!options.isVolatile || !reader.isSlow) reader.write(bytes);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPing?.();
    for (const reader of this.#all()) reader.end();
  }

  #schedulePing(): void {
    this.#cancelPing = this.#clock.schedule(PING_INTERVAL_MS, () => {
      this.#cancelPing = undefined;
      for (const reader of this.#all()) reader.write(formatPing());
      if (this.#count > 0) this.#schedulePing();
    });
  }

  #all(): readonly ReaderStream[] {
    return [...this.#readers.values()].flatMap((readers) => [...readers]);
  }
}
