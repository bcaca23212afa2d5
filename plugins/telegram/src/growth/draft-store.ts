import type { ChannelContext } from "@banyan/plugin-sdk";
import { type Drafts, parseDrafts } from "./draft.ts";

type Receive = ChannelContext<unknown>["receive"];

/** The account's cursor, which two write: where polling stands, and behind it the messages that grow. */
export interface DraftStore {
  readonly drafts: Drafts;
  /** What the cursor says without the drafts. */
  readonly cursor: string | undefined;
  /** Instead of the context's: it adds the drafts to the cursor that is stored. */
  readonly receive: Receive;
  /** Resolves when the drafts are stored as `change` makes them; they count from then on. Rejects where they were not. */
  store(change: (drafts: Drafts) => Drafts): Promise<void>;
}

export interface DraftStoreOptions {
  readonly cursor: string | undefined;
  readonly receive: Receive;
}

/** Begins the last line. What stands before it is none of this store's. */
const SEPARATOR = "\ndrafts ";

export function createDraftStore({ cursor: stored, receive }: DraftStoreOptions): DraftStore {
  const [first, rest] = splitCursor(stored);
  let cursor = first;
  let drafts = parseDrafts(rest);
  // A write that was formed earlier and stored later would take back what the other one says.
  let writing: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
    const written = writing.then(write);
    writing = written.catch(() => undefined);
    return written;
  }

  return {
    get drafts() {
      return drafts;
    },
    get cursor() {
      return first;
    },
    receive(messages, options) {
      const next = options?.cursor;
      if (next === undefined) return receive(messages, options);
      return inTurn(async () => {
        const outcomes = await receive(messages, { ...options, cursor: formatCursor(next, drafts) });
        cursor = next;
        return outcomes;
      });
    },
    store: (change) =>
      inTurn(async () => {
        const next = change(drafts);
        await receive([], { cursor: formatCursor(cursor, next) });
        drafts = next;
      }),
  };
}

function splitCursor(text: string | undefined): readonly [string | undefined, string | undefined] {
  if (text === undefined) return [undefined, undefined];
  const at = text.lastIndexOf(SEPARATOR);
  return at < 0 ? [text, undefined] : [text.slice(0, at) || undefined, text.slice(at + SEPARATOR.length)];
}

function formatCursor(cursor: string | undefined, drafts: Drafts): string {
  return drafts.length === 0 ? (cursor ?? "") : `${cursor ?? ""}${SEPARATOR}${JSON.stringify(drafts)}`;
}
