import type { AttachmentReference, Completion, InboundMessage, Quote, Sender } from "@banyan/plugin-sdk";

/** The content of a lane item. */
export interface ItemBody {
  readonly id: string;
  readonly text: string;
  readonly sender: Sender;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
  readonly quote?: Quote;
  readonly attachments?: readonly AttachmentReference[];
  /** It is the message of the command before it. A history shows it with the command already. */
  readonly isFollowUp?: boolean;
  /** Of an internal input: its answer goes to no chat. */
  readonly isQuiet?: boolean;
  /** With the kind `completion`. */
  readonly completion?: Completion;
  /** Of a completion for a session that a reset has ended: it goes to the transcript of that session. */
  readonly sessionId?: string;
  /** With the kind `nested`: the number of messages from agent to agent that led to it. */
  readonly hops?: number;
}

export function formatItemBody(message: InboundMessage, mark: Pick<ItemBody, "isFollowUp"> = {}): string {
  const { id, text, at, quote, attachments } = message;
  // The route is decided: what only routing needs is not kept.
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

/** Formats an internal input: a task, a message of another agent, a completion. */
export function formatInnerBody(body: ItemBody): string {
  return JSON.stringify(body);
}

/** Core has written the body, so it is not checked again. */
export function parseItemBody(body: string): ItemBody {
  return JSON.parse(body);
}
