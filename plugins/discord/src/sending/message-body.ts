import type { RESTPostAPIChannelMessageJSONBody } from "discord.js";

/** What stands beside the text of a message. */
export type MessageExtras = Pick<RESTPostAPIChannelMessageJSONBody, "embeds" | "components">;

export interface NewMessage {
  /** Discord's Markdown, at most 2,000 characters. */
  readonly content: string;
  readonly nonce: string;
  /** The id of the message that is answered. One that is gone is no error. */
  readonly replyTo?: string | undefined;
  readonly extras?: MessageExtras | undefined;
}

/** Output of models never calls anybody (Discord documentation, "Allowed Mentions Object"). */
export const NO_MENTIONS = { parse: [] } as const;

/** The body of "Create Message": a repeat of it gives the same message, and it mentions nobody. */
export function buildMessageBody({ content, nonce, replyTo, extras }: NewMessage): object {
  return {
    content,
    nonce,
    enforce_nonce: true,
    allowed_mentions: NO_MENTIONS,
    ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    ...extras,
  };
}

/** The body of "Edit Message". What stood beside the text goes unless it is given again. */
export function buildEditBody(content: string, extras?: MessageExtras): object {
  return { content, allowed_mentions: NO_MENTIONS, ...extras };
}
