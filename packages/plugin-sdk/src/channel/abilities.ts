import type { RunOutcome } from "../session/completion.ts";
import type { Address } from "./address.ts";
import type { AttachmentReference, InboundMessage } from "./inbound-message.ts";
import type { ShownRun } from "./shown-run.ts";

/**
 * Optional abilities of a connection, each a small object of its own. The core asks for one only when it needs it;
 * each method throws a `ChannelError` and is given the time limit of its hook or delivery.
 */
export interface ConnectionAbilities {
  readonly threads?: ThreadsAbility;
  readonly edits?: EditsAbility;
  readonly progress?: ProgressAbility;
  readonly typing?: TypingAbility;
  readonly reactions?: ReactionsAbility;
  readonly history?: HistoryAbility;
  readonly files?: FilesAbility;
  readonly pace?: PaceAbility;
}

/** Threads for sub-agents. */
export interface ThreadsAbility {
  /**
   * Opens a thread below `parent`, or beside it where it is a thread itself and threads do not nest; where none can be opened
   * and `threadFallback` is `reply`, a chain of replies in its place, if the platform knows replies. Called by the host's
   * own tap on `subagent_spawning`, at least once per spawn, and again behind a failure that is `definite` or `ambiguous`;
   * idempotent by `bindingId`, also in a new process. `name` has
   * at most 100 characters; `hello` is the thread's first message, in Markdown. `askedBy` is the platform's id of whoever asked,
   * to be let in where a thread is not for all.
   */
  open(request: {
    bindingId: string;
    parent: Address;
    name: string;
    hello: string;
    askedBy?: string;
  }): Promise<{ address: Address }>;
  /**
   * Takes an opening back whose spawn was cut off: closes what stands open for `bindingId`. Called by the host, perhaps
   * again and in a new process; that nothing stands there is no error.
   */
  withdraw(request: { bindingId: string; parent: Address }): Promise<void>;
  /**
   * Closes or archives, under the new name if one is given. `goodbye` is the thread's last line, in Markdown, said before it
   * is closed. Called by a timer, perhaps again and in a new process: an already closed thread is no error, and
   * `bindingId`, the one that it was opened by, is the same each time, so that the goodbye can be said once. `outcome` is that
   * of its run, for a platform that shows more of it than the name does; absent where it closes without an end.
   */
  archive(request: {
    bindingId: string;
    address: Address;
    name?: string;
    goodbye?: string;
    outcome?: RunOutcome;
  }): Promise<void>;
  /**
   * Gives a thread that stays open another name of at most 100 characters, with the mark of how its run ended. Called by a
   * timer, perhaps again and in a new process; a thread that has the name already, or is archived, is no error. A plugin
   * without it leaves the names of open threads alone. `outcome` as in `archive`.
   */
  rename?(request: { address: Address; name: string; outcome?: RunOutcome }): Promise<void>;
  /**
   * Whether the thread can still be written to; `archived`: by opening it again, `gone`: it is deleted, or shut for the
   * account. Called for each thread of a sub-agent when the account is connected after a start, and before a person's word
   * for a sub-agent goes there. Must change and show nothing that stays in the thread. A plugin that knows why it is shut, such as
   * the permission that is missing, calls `threadGone` with that before it answers `gone`; else the host says something general.
   */
  probe(address: Address): Promise<"open" | "archived" | "gone">;
}

export interface EditsAbility {
  /**
   * Replaces the text of an own message; an unchanged text is no error. With `run` it has the buttons that fit that, without
   * none. A message that can be edited no more is a `message_gone`.
   */
  edit(request: { address: Address; platformId: string; text: string; run?: ShownRun }): Promise<void>;
}

/** A growing answer while a turn runs: volatile, coalesced by the plugin, never stored, may be dropped at any time. */
export interface ProgressAbility {
  update(request: { turnId: string; address: Address; textSoFar: string }): void;
  /** The turn ended; what counts comes through `send`. */
  end(request: { turnId: string; address: Address }): void;
}

export interface TypingAbility {
  /** Shows that an answer is being made until the disposer is called; the plugin repeats it as its platform needs. */
  start(address: Address): () => void;
}

export interface ReactionsAbility {
  add(request: { address: Address; platformId: string; emoji: string }): Promise<void>;
}

/** Reading a platform's history after a gap. */
export interface HistoryAbility {
  after(request: { address: Address; afterId: string; limit: number }): Promise<readonly InboundMessage[]>;
}

/** Files that came with messages. */
export interface FilesAbility {
  /**
   * Opens a file for reading, once. Called when an agent asks for it, perhaps again and long after the message: whatever
   * link it takes is asked for anew. The reader counts by itself and cancels at its own cap. Throws a `ChannelError` whose
   * message the agent reads; addresses that hold secrets are not in it. What breaks while it is read fails the stream.
   */
  download(file: AttachmentReference, request: FileRequest): Promise<ReadableStream<Uint8Array>>;
}

export interface FileRequest {
  /** More than this is not read: give it to `ctx.fetch`, which then stops by itself. */
  readonly limitBytes: number;
  /** Aborts when nobody waits for the file any more. */
  readonly signal: AbortSignal;
}

/** A platform's published pace, kept by waiting before a send rather than by being refused. */
export interface PaceAbility {
  /**
   * Asked right before each send. 0: it may go now and its place is taken; else nothing is taken, and the milliseconds
   * after which to ask again. Must be cheap and must not throw.
   */
  take(address: Address): number;
}
