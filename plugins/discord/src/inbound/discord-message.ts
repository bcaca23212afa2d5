/** A message as Discord sends it, of which only what is looked at here is kept, under Discord's own names. */

/** Absent, null and unreadable parts are all `undefined`; such lists are empty. */
export interface DiscordMessage extends QuotedMessage {
  readonly channel_id: string;
  /** The gateway alone tells it. */
  readonly guild_id: string | undefined;
  /** Who the author is in the server. The gateway alone tells it. */
  readonly member: DiscordMember | undefined;
  readonly type: number | undefined;
  readonly application_id: string | undefined;
  readonly edited_timestamp: string | undefined;
  readonly message_reference: MessageReference | undefined;
  readonly referenced_message: QuotedMessage | undefined;
  /** What a forwarded message held. It names no author. */
  readonly message_snapshots: readonly { readonly message: MessageContent }[];
}

/** A message that another one answers. */
export interface QuotedMessage extends MessageContent {
  readonly id: string;
  readonly author: DiscordUser | undefined;
  readonly webhook_id: string | undefined;
}

/** What a message holds, also where it is only forwarded. */
export interface MessageContent {
  /** In Discord's Markdown. Empty where the account may not read it. */
  readonly content: string | undefined;
  readonly flags: number | undefined;
  readonly attachments: readonly DiscordAttachment[];
  readonly embeds: readonly DiscordEmbed[];
  readonly sticker_items: readonly NamedThing[];
  readonly poll: DiscordPoll | undefined;
  readonly components: readonly object[];
  /** Users that `content` mentions, and the author of what it answers. */
  readonly mentions: readonly MentionedUser[];
  readonly mention_channels: readonly NamedThing[];
}

export interface DiscordUser {
  readonly id: string;
  readonly username: string | undefined;
  readonly global_name: string | undefined;
  readonly bot: boolean | undefined;
}

export interface DiscordMember {
  readonly nick: string | undefined;
  readonly roles: readonly string[];
}

export interface MentionedUser extends DiscordUser {
  readonly member: DiscordMember | undefined;
}

export interface DiscordAttachment {
  readonly id: string;
  readonly filename: string | undefined;
  readonly content_type: string | undefined;
  /** Bytes. */
  readonly size: number | undefined;
  /** Of a voice message. */
  readonly duration_secs: number | undefined;
}

export interface DiscordEmbed {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly url: string | undefined;
}

export interface DiscordPoll {
  readonly question: { readonly text: string | undefined } | undefined;
  readonly answers: readonly { readonly poll_media: { readonly text: string | undefined } | undefined }[];
}

export interface NamedThing {
  readonly id: string;
  readonly name: string | undefined;
}

export interface MessageReference {
  /** 1: a forward. */
  readonly type: number | undefined;
  readonly message_id: string | undefined;
}
