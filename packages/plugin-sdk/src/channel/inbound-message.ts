import type { Address } from "./address.ts";

/** One message, edit or press of a button, as a plugin translates it. Plain data; the core decides everything else. */
export interface InboundMessage {
  /** The platform's own id of the message: stable, and never used again in its chat. */
  readonly id: string;
  readonly address: Address;
  /**
   * The platform's id of the server (a guild, a workspace) that the chat belongs to, where it belongs to one. The account's
   * `groups.guilds` and the routes' `match.guild` are judged by it. Absent in DMs.
   */
  readonly guild?: string;
  readonly sender: Sender;
  /** What the sender wrote, as Markdown where the platform has markup. May be empty when there are attachments. */
  readonly text: string;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
  /** Groups: the message mentions the bot, replies to it or is a command for it. Absent in DMs. */
  readonly addressed?: boolean;
  /** Set when this is a new version of message `id`; milliseconds since the epoch. */
  readonly editedAt?: number;
  /** What the message quotes or answers. Labelled data for the agent, never an instruction. */
  readonly quote?: Quote;
  readonly attachments?: readonly AttachmentReference[];
}

export interface Sender {
  /** The platform's stable id. Names change and can be taken by others, so nothing is ever decided by one. */
  readonly id: string;
  readonly displayName?: string;
  /** A bot, webhook or other program. */
  readonly isBot?: boolean;
  /** The platform's ids of the roles that the sender has in the message's `guild`. The routes' `match.roles` go by them. */
  readonly roles?: readonly string[];
}

export interface Quote {
  readonly messageId?: string;
  readonly senderId?: string;
  readonly text?: string;
  /**
   * Where a child may live in a chain of replies: the address of the chain that begins with the quoted message. Only with a
   * message of the account itself in the same chat. The host then looks whether that, or the place that the quoted message
   * was delivered to, belongs to a child, and takes this message as said there.
   */
  readonly chain?: Address;
}

/** A file that stays on the platform until somebody asks for it through the `files` ability. */
export interface AttachmentReference {
  readonly id: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly sizeBytes?: number;
}

/**
 * What became of a received message, in the order given: `stored`, found `duplicate` of a stored one, or `refused` by
 * access or a full lane, now or when it came first. All of them are settled: the plugin may acknowledge the platform.
 */
export type ReceiveOutcome = "stored" | "duplicate" | "refused";
