import {
  AllowedMentionsTypes,
  type APIAllowedMentions,
  type APIEmbed,
  type APIMessageTopLevelComponent,
} from "discord-api-types/v10";
import { z } from "zod";
import { componentsSchema } from "./component.ts";
import { embedsSchema } from "./embed.ts";

/** Of bots; the API's description allows people with Nitro 4000 (D1). */
const CONTENT_LIMIT_CHARS = 2000;
const NONCE_LIMIT_CHARS = 25;

export interface AttachmentBody {
  readonly id: string | number;
  readonly filename?: string | undefined;
  readonly description?: string | null | undefined;
}

export interface ReferenceBody {
  readonly message_id?: string | undefined;
  readonly channel_id?: string | undefined;
  readonly guild_id?: string | undefined;
  readonly fail_if_not_exists?: boolean | undefined;
  readonly type?: number | undefined;
}

/** The body of everything that writes a message. */
export interface MessageBody {
  readonly content?: string | null | undefined;
  readonly nonce?: string | number | null | undefined;
  readonly enforce_nonce?: boolean | null | undefined;
  readonly tts?: boolean | null | undefined;
  readonly embeds?: APIEmbed[] | null | undefined;
  readonly allowed_mentions?: APIAllowedMentions | null | undefined;
  readonly message_reference?: ReferenceBody | null | undefined;
  readonly components?: APIMessageTopLevelComponent[] | null | undefined;
  readonly sticker_ids?: string[] | null | undefined;
  readonly attachments?: AttachmentBody[] | null | undefined;
  readonly flags?: number | null | undefined;
  /** These four of a webhook alone. */
  readonly username?: string | null | undefined;
  readonly avatar_url?: string | null | undefined;
  readonly thread_name?: string | undefined;
  readonly applied_tags?: string[] | undefined;
}

const snowflake = z.string().regex(/^\d{1,20}$/, "Value is not snowflake.");
const allowedMentionsSchema: z.ZodType<APIAllowedMentions> = z
  .strictObject({
    parse: z.array(z.enum(AllowedMentionsTypes)).exactOptional(),
    roles: z.array(snowflake).max(100).exactOptional(),
    users: z.array(snowflake).max(100).exactOptional(),
    replied_user: z.boolean().exactOptional(),
  })
  .superRefine(({ parse = [], users = [], roles = [] }, context) => {
    const clashes = [
      [parse.includes(AllowedMentionsTypes.User) && users.length > 0, "users"],
      [parse.includes(AllowedMentionsTypes.Role) && roles.length > 0, "roles"],
    ];
    for (const [isClash, kind] of clashes) {
      if (isClash !== true) continue;
      const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
      context.addIssue({ code: "custom", message, params: { code: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE" } });
    }
  });

/** A webhook's name, and the one it shows (D8). */
export const webhookNameSchema: z.ZodType<string> = z
  .string()
  .min(1)
  .max(80)
  .superRefine((name, context) => {
    const word = /clyde|discord/i.exec(name)?.[0];
    if (word === undefined) return;
    const message = `Username cannot contain "${word.toLowerCase()}"`;
    context.addIssue({ code: "custom", message, params: { code: "USERNAME_INVALID_CONTAINS" } });
  });

/**
 * Of Create Message, its edits, an interaction's answers and a webhook's messages alike: clients send the same
 * fields everywhere, and what means nothing in a place is passed over there.
 */
export const messageBodySchema: z.ZodType<MessageBody> = z.strictObject({
  content: z.string().max(CONTENT_LIMIT_CHARS).nullish(),
  tts: z.boolean().nullish(),
  embeds: embedsSchema.nullish(),
  allowed_mentions: allowedMentionsSchema.nullish(),
  components: componentsSchema.nullish(),
  flags: z.int().nullish(),
  attachments: z
    .array(
      z.looseObject({
        id: z.union([z.string(), z.int()]),
        filename: z.string().optional(),
        description: z.string().max(1024).nullish(),
      }),
    )
    .nullish(),
  nonce: z.union([z.string().max(NONCE_LIMIT_CHARS), z.int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  message_reference: z
    .strictObject({
      type: z.int().optional(),
      message_id: snowflake.optional(),
      channel_id: snowflake.optional(),
      guild_id: snowflake.optional(),
      fail_if_not_exists: z.boolean().optional(),
    })
    .nullish(),
  sticker_ids: z.array(snowflake).max(3).nullish(),
  username: webhookNameSchema.nullish(),
  avatar_url: z.string().nullish(),
  thread_name: z.string().min(1).max(100).optional(),
  applied_tags: z.array(snowflake).max(5).optional(),
});
