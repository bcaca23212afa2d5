import type { AttachmentReference, Completion, InboundMessage, Quote, Sender } from "@banyan/plugin-sdk";

/** What stands in a lane item. */
export interface ItemBody {
  readonly id: string;
  readonly text: string;
  readonly sender: Sender;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
  readonly quote?: Quote;
  readonly attachments?: readonly AttachmentReference[];
  /** The text of the command before it: a history shows it there already. */
  readonly isFollowUp?: boolean;
  /** Of an input from inside: its answer goes to no chat. */
  readonly isQuiet?: boolean;
  /** With the kind `completion`. */
  readonly completion?: Completion;
  /** Of a completion for a conversation that a reset has ended: it goes to that one's transcript. */
  readonly sessionId?: string;
  /** With the kind `nested`: how many messages from agent to agent led to it. */
  readonly hops?: number;
}

export function formatItemBody(message: InboundMessage, mark: Pick<ItemBody, "isFollowUp"> = {}): string {
  const { id, text, at, quote, attachments } = message;
  // The route is decided: what nobody asks for any more is not kept.
  const { roles: _roles, ...sender } = message.sender;
  const { chain: _chain, ...quoted } = quote ?? {};
  const body: ItemBody = {
    id,
    text,
    sender,
    at,
    ...(quote === undefined ? {} : { quote: quoted }),
    ...(attachments === undefined ? {} : { attachments }),
    ...mark,
  };
  return JSON.stringify(body);
}

/** An input that comes from inside: a task, another agent's message, a completion. */
export function formatInnerBody(body: ItemBody): string {
  return JSON.stringify(body);
}

/** The body is our own writing, so it is not checked again. */
export function parseItemBody(body: string): ItemBody {
  return JSON.parse(body);
}
