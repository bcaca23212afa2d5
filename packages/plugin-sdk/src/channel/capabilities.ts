import type { ChatKind } from "./address.ts";
import type { ChannelPromise } from "./outbound-message.ts";

/** What a channel can do. Flags and abilities must agree; a mismatch is refused when the account connects. */
export interface ChannelCapabilities {
  readonly kinds: readonly ChatKind[];
  readonly text: TextCapability;
  /** Has the ability `threads`. */
  readonly threads: boolean;
  /** Has the ability `edits`. */
  readonly edits: boolean;
  readonly delivery: ChannelPromise;
  /** `send` takes an `OutboundMessage` with a `file`. Absent: the chat is told the file's name instead. */
  readonly files?: FilesCapability;
  /** Shows a message's `question` with a button for each choice. Absent: the text says how to answer. */
  readonly buttons?: true;
  /**
   * Only who holds the server's token can write here, so everybody here is the operator: no access policy applies and
   * the channel counts in no rule about several senders.
   */
  readonly isOperatorOnly?: boolean;
}

export interface FilesCapability {
  /** The largest file. Larger ones are refused to the agent before anything is sent. */
  readonly limitBytes: number;
  /** The most that the text beside a file may hold, in the unit of `text.measure`. Longer words go before the file. */
  readonly captionLimit: number;
}

export interface TextCapability {
  /** The most that one message may hold, in the platform's unit. The core keeps 32 units of it free for a mark. */
  readonly limit: number;
  /** How much of the limit a piece of Markdown takes once rendered, in the platform's unit. Pure, total and cheap. */
  measure(source: string): number;
}
