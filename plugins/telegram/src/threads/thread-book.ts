import type { ChannelContext } from "@banyan/plugin-sdk";
import { parseThreadEntries, type ThreadEntry } from "./thread-entry.ts";

type Receive = ChannelContext<unknown>["receive"];
type Change = (entries: readonly ThreadEntry[]) => readonly ThreadEntry[];

/** What an account remembers of its threads. It is stored behind the account's cursor, with whatever is received. */
export interface ThreadBook {
  /** The rest of the stored cursor: where polling stands. */
  readonly cursor: string | undefined;
  readonly entries: readonly ThreadEntry[];
  find(bindingId: string): ThreadEntry | undefined;
  /** Changes what is stored with the next write. For what Telegram tells again where that write does not come. */
  note(change: Change): void;
  /** Changes it and resolves when that is stored. Rejects when it was not; it is then stored with the next write. */
  store(change: Change): Promise<void>;
  /** As the host's; what is remembered is stored with the batch's cursor, and where it has changed also without one. */
  readonly receive: Receive;
  /** Resolves with the opening once `isReached`, or with what is known of it when `signal` aborts. */
  until(
    bindingId: string,
    isReached: (entry: ThreadEntry) => boolean,
    signal: AbortSignal,
  ): Promise<ThreadEntry | undefined>;
}

/** Begins the last line. What stands before it is none of this book's. */
const SEPARATOR = "\nthreads ";

export function createThreadBook(stored: string | undefined, receive: Receive): ThreadBook {
  const [cursor, rest] = splitCursor(stored ?? "");
  let entries = parseThreadEntries(rest);
  let kept = entries;
  let latestCursor = cursor;
  const watchers = new Set<() => void>();
  // A write that was formed earlier and stored later would take back what the other one says.
  let line: Promise<unknown> = Promise.resolve();

  function write<Value>(act: () => Promise<Value>): Promise<Value> {
    const written = line.then(act);
    line = written.catch(() => undefined);
    return written;
  }

  function note(change: Change): void {
    entries = change(entries);
    for (const look of [...watchers]) look();
  }

  function format(at: string): string {
    return entries.length === 0 ? at : `${at}${SEPARATOR}${JSON.stringify(entries)}`;
  }

  return {
    cursor: cursor === "" ? undefined : cursor,
    get entries() {
      return entries;
    },
    find: (bindingId) => entries.find((entry) => entry.bindingId === bindingId),
    note,
    async store(change) {
      note(change);
      await write(async () => {
        const written = entries;
        await receive([], { cursor: format(latestCursor) });
        kept = written;
      });
    },
    receive(messages, options) {
      const next = options?.cursor;
      if (next === undefined && entries === kept) return receive(messages, options);
      return write(async () => {
        const written = entries;
        const outcomes = await receive(messages, { ...options, cursor: format(next ?? latestCursor) });
        latestCursor = next ?? latestCursor;
        kept = written;
        return outcomes;
      });
    },
    until(bindingId, isReached, signal) {
      return new Promise((resolve) => {
        const look = (): void => {
          const entry = entries.find((one) => one.bindingId === bindingId);
          if (!signal.aborted && (entry === undefined || !isReached(entry))) return;
          watchers.delete(look);
          signal.removeEventListener("abort", look);
          resolve(entry);
        };
        watchers.add(look);
        signal.addEventListener("abort", look);
        look();
      });
    },
  };
}

function splitCursor(text: string): readonly [cursor: string, entries: string] {
  const at = text.lastIndexOf(SEPARATOR);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + SEPARATOR.length)];
}
