import { z } from "zod";
import type {
  DiscordAttachment,
  DiscordEmbed,
  DiscordMember,
  DiscordMessage,
  DiscordPoll,
  DiscordUser,
  MentionedUser,
  MessageContent,
  MessageReference,
  NamedThing,
  QuotedMessage,
} from "./discord-message.ts";
import { lenient, lenientList, lenientText, snowflake } from "./lenient-field.ts";

const text: z.ZodType<string | undefined> = lenientText;
const number: z.ZodType<number | undefined> = lenient(z.number());

const userFields = { id: snowflake, username: text, global_name: text, bot: lenient(z.boolean()) } as const;
export const userSchema: z.ZodType<DiscordUser> = z.object(userFields);
const memberSchema: z.ZodType<DiscordMember> = z.object({ nick: text, roles: lenientList(snowflake) });

const mentionedUser: z.ZodType<MentionedUser> = z.object({ ...userFields, member: lenient(memberSchema) });
const attachment: z.ZodType<DiscordAttachment> = z.object({
  id: snowflake,
  filename: text,
  content_type: text,
  size: number,
  duration_secs: number,
});
const embed: z.ZodType<DiscordEmbed> = z.object({ title: text, description: text, url: text });
const named: z.ZodType<NamedThing> = z.object({ id: snowflake, name: text });
const poll: z.ZodType<DiscordPoll> = z.object({
  question: lenient(z.object({ text })),
  answers: lenientList(z.object({ poll_media: lenient(z.object({ text })) })),
});
const reference: z.ZodType<MessageReference> = z.object({
  type: number,
  message_id: lenient(snowflake),
});

const contentFields = {
  content: text,
  flags: number,
  attachments: lenientList(attachment),
  embeds: lenientList(embed),
  sticker_items: lenientList(named),
  poll: lenient(poll),
  components: lenientList(z.looseObject({})),
  mentions: lenientList(mentionedUser),
  mention_channels: lenientList(named),
} as const;
const content: z.ZodType<MessageContent> = z.object(contentFields);

const quotedFields = {
  ...contentFields,
  id: snowflake,
  author: lenient(userSchema),
  webhook_id: lenient(snowflake),
} as const;
const quoted: z.ZodType<QuotedMessage> = z.object(quotedFields);

const message: z.ZodType<DiscordMessage> = z.object({
  ...quotedFields,
  channel_id: snowflake,
  guild_id: lenient(snowflake),
  member: lenient(memberSchema),
  type: number,
  application_id: lenient(snowflake),
  edited_timestamp: text,
  message_reference: lenient(reference),
  referenced_message: lenient(quoted),
  message_snapshots: lenientList(z.object({ message: content })),
});

/** The message of MESSAGE_CREATE, MESSAGE_UPDATE or a REST answer; `undefined` for one without an id and a channel. */
export function parseMessage(payload: unknown): DiscordMessage | undefined {
  return message.safeParse(payload).data;
}
