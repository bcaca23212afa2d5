/** What Discord tells of a channel or a thread, as far as opening, closing and finding threads goes by it. */
import { z } from "zod";
import { isSnowflake } from "../snowflake.ts";

export interface ThreadFacts {
  readonly id: string;
  readonly type: number;
  readonly guildId?: string;
  readonly parentId?: string;
  readonly ownerId?: string;
  readonly name: string;
  readonly isArchived: boolean;
  readonly isLocked: boolean;
  readonly lastMessageId?: string;
  /** Of a forum: its tags, and whether a post needs one. */
  readonly tags: readonly { readonly id: string; readonly isModerated: boolean }[];
  readonly requiresTag: boolean;
}

/** Discord documentation, "Channel Resource": flag of a forum whose posts need a tag. */
const REQUIRE_TAG = 1 << 4;

const id = z.string().refine(isSnowflake);
const channel = z.object({
  id,
  type: z.number().int(),
  guild_id: id.nullish(),
  parent_id: id.nullish(),
  owner_id: id.nullish(),
  name: z.string().nullish(),
  last_message_id: id.nullish(),
  flags: z.number().int().nullish(),
  thread_metadata: z.object({ archived: z.boolean().nullish(), locked: z.boolean().nullish() }).nullish(),
  available_tags: z.array(z.object({ id, moderated: z.boolean().nullish() })).nullish(),
});

/** `undefined` for what is no channel. */
export function parseThreadFacts(answer: unknown): ThreadFacts | undefined {
  const read = channel.safeParse(answer).data;
  if (read === undefined) return undefined;
  const { guild_id: guildId, parent_id: parentId, owner_id: ownerId, last_message_id: lastMessageId } = read;
  return {
    id: read.id,
    type: read.type,
    name: read.name ?? "",
    isArchived: read.thread_metadata?.archived === true,
    isLocked: read.thread_metadata?.locked === true,
    tags: (read.available_tags ?? []).map((tag) => ({ id: tag.id, isModerated: tag.moderated === true })),
    requiresTag: ((read.flags ?? 0) & REQUIRE_TAG) !== 0,
    ...(guildId && { guildId }),
    ...(parentId && { parentId }),
    ...(ownerId && { ownerId }),
    ...(lastMessageId && { lastMessageId }),
  };
}
