import type { AttachmentReference, InboundMessage, Quote, Sender } from "@banyan/plugin-sdk";

/** What stands in a lane item of kind `message` or `command`. */
export interface ItemBody {
  readonly id: string;
  readonly text: string;
  readonly sender: Sender;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
  readonly quote?: Quote;
  readonly attachments?: readonly AttachmentReference[];
}

export function formatItemBody(message: InboundMessage): string {
  const { id, text, sender, at, quote, attachments } = message;
  const body: ItemBody = {
    id,
    text,
    sender,
    at,
    ...(quote === undefined ? {} : { quote }),
    ...(attachments === undefined ? {} : { attachments }),
  };
  return JSON.stringify(body);
}

/** The body is our own writing, so it is not checked again. */
export function parseItemBody(body: string): ItemBody {
  return JSON.parse(body);
}
