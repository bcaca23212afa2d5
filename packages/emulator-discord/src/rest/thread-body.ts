import { ThreadAutoArchiveDuration } from "discord-api-types/v10";
import { z } from "zod";
import { type MessageBody, messageBodySchema } from "./message-body.ts";

/** In code units (Threads; D6). */
const name = z.string().min(1).max(100);
const autoArchiveMin = z.enum(ThreadAutoArchiveDuration);
/** Six hours (Channels, "rate_limit_per_user"). */
const slowmodeS = z.int().min(0).max(21_600);
const tagIds = z.array(z.string()).max(5);

export interface StarterThreadBody {
  readonly name: string;
  readonly auto_archive_duration?: ThreadAutoArchiveDuration | undefined;
  readonly rate_limit_per_user?: number | null | undefined;
}

export interface ThreadBody extends StarterThreadBody {
  readonly type?: 10 | 11 | 12 | undefined;
  readonly invitable?: boolean | undefined;
}

/** The body of Start Thread, from a message or without one; clients name the type with both. */
export const threadSchema: z.ZodType<ThreadBody> = z.strictObject({
  name,
  auto_archive_duration: autoArchiveMin.optional(),
  rate_limit_per_user: slowmodeS.nullish(),
  type: z.union([z.literal(10), z.literal(11), z.literal(12)]).optional(),
  invitable: z.boolean().optional(),
});

export interface ForumPostBody extends StarterThreadBody {
  readonly message: MessageBody;
  readonly applied_tags?: readonly string[] | undefined;
}

/** The body of Start Thread in Forum. */
export const forumPostSchema: z.ZodType<ForumPostBody> = z.strictObject({
  name,
  auto_archive_duration: autoArchiveMin.optional(),
  rate_limit_per_user: slowmodeS.nullish(),
  message: messageBodySchema,
  applied_tags: tagIds.optional(),
});

export interface ThreadChangeBody {
  readonly name?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly auto_archive_duration?: ThreadAutoArchiveDuration | undefined;
  readonly locked?: boolean | undefined;
  readonly invitable?: boolean | undefined;
  readonly rate_limit_per_user?: number | null | undefined;
  readonly flags?: number | undefined;
  readonly applied_tags?: readonly string[] | undefined;
}

/** The body of Modify Channel for a thread. */
export const threadChangeSchema: z.ZodType<ThreadChangeBody> = z.strictObject({
  name: name.optional(),
  archived: z.boolean().optional(),
  auto_archive_duration: autoArchiveMin.optional(),
  locked: z.boolean().optional(),
  invitable: z.boolean().optional(),
  rate_limit_per_user: slowmodeS.nullish(),
  flags: z.int().optional(),
  applied_tags: tagIds.optional(),
});

export interface ChannelChangeBody {
  readonly name?: string | undefined;
  readonly topic?: string | null | undefined;
  readonly rate_limit_per_user?: number | null | undefined;
  readonly parent_id?: string | null | undefined;
}

/** The body of Modify Channel for any other; of what it may name, the emulator knows these. */
export const channelChangeSchema: z.ZodType<ChannelChangeBody> = z.looseObject({
  name: name.optional(),
  topic: z.string().max(4096).nullish(),
  rate_limit_per_user: slowmodeS.nullish(),
  parent_id: z.string().nullish(),
});
