import type { RunEvent } from "../run-event.ts";

/** A program that talks faster than it is read waits above this: about 16 KB of text in chunks of ours. */
export const UNREAD_LIMIT_EVENTS = 256;

export type TurnEnd = Omit<Extract<RunEvent, { type: "end" }>, "type">;

/** The events of one turn on their way to the one reader: each tool start gets its end, the turn exactly one. */
export class TurnEvents {
  #unread: RunEvent[] = [];
  readonly #openCalls = new Set<number>();
  #isEnded = false;
  #hasReader = false;
  #hasReaderLeft = false;
  #arrival: PromiseWithResolvers<void> | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Ignored after the end: a program that did not wait for its own call may come late. Resolves when there is room. */
  tell(event: Exclude<RunEvent, { type: "end" }>): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    if (event.type === "tool_start") this.#openCalls.add(event.ordinal);
    if (event.type === "tool_end") this.#openCalls.delete(event.ordinal);
    this.#push(event);
    if (this.#hasReaderLeft || this.#unread.length < UNREAD_LIMIT_EVENTS) return Promise.resolve();
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** The first end stands; calls that are still open end as failed before it. */
  end(end: TurnEnd): void {
    if (this.#isEnded) return;
    for (const ordinal of this.#openCalls) this.#push({ type: "tool_end", ordinal, isError: true });
    this.#push({ type: "end", ...end });
    this.#isEnded = true;
  }

  /** For the one reader. One that leaves early is told nothing more, and the turn goes on without him. */
  read(): AsyncGenerator<RunEvent, void, undefined> {
    if (this.#hasReader) throw new Error("Reading a turn's events: they have a reader already; a turn is read once.");
    this.#hasReader = true;
    return this.#drain();
  }

  async *#drain(): AsyncGenerator<RunEvent, void, undefined> {
    try {
      for (;;) {
        const batch = this.#unread;
        this.#unread = [];
        this.#room?.resolve();
        this.#room = undefined;
        yield* batch;
        if (this.#unread.length > 0) continue;
        if (this.#isEnded) return;
        this.#arrival = Promise.withResolvers();
        await this.#arrival.promise;
      }
    } finally {
      this.#hasReaderLeft = true;
      this.#unread = [];
      this.#room?.resolve();
    }
  }

  #push(event: RunEvent): void {
    if (this.#hasReaderLeft) return;
    this.#unread.push(event);
    this.#arrival?.resolve();
    this.#arrival = undefined;
  }
}
