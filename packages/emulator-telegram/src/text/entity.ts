import { z } from "zod";
import { type Refusal, refuseRequest } from "../answers/answer.ts";

/** A MessageEntity of the Bot API; offset and length count UTF-16 code units. */
export interface Entity {
  readonly type: EntityType;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly user?: unknown;
  readonly language?: string;
  readonly custom_emoji_id?: string;
  readonly unix_time?: number;
  readonly date_time_format?: string;
}

const ENTITY_TYPES = [
  "mention",
  "hashtag",
  "cashtag",
  "bot_command",
  "url",
  "email",
  "phone_number",
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "blockquote",
  "expandable_blockquote",
  "code",
  "pre",
  "text_link",
  "text_mention",
  "custom_emoji",
  "date_time",
] as const;

export type EntityType = (typeof ENTITY_TYPES)[number];

export const entitySchema: z.ZodType<Entity> = z.strictObject({
  type: z.enum(ENTITY_TYPES),
  offset: z.int(),
  length: z.int(),
  url: z.string().exactOptional(),
  user: z.unknown().exactOptional(),
  language: z.string().exactOptional(),
  custom_emoji_id: z.string().exactOptional(),
  unix_time: z.int().exactOptional(),
  date_time_format: z.string().exactOptional(),
});

/** tdlib's bound on offsets and lengths. */
const BOUND_UNITS = 1_000_000;

/** Whether explicit entities lie inside the text and cut no surrogate pair; the texts are the server's. */
export function checkEntities(text: string, entities: readonly Entity[]): Refusal | undefined {
  for (const { offset, length } of entities) {
    if (offset < 0 || offset > BOUND_UNITS) return refuseRequest(`receive an entity with incorrect offset ${offset}`);
    if (length < 0 || length > BOUND_UNITS) return refuseRequest(`receive an entity with incorrect length ${length}`);
    if (length === 0) continue;
    const end = offset + length;
    if (offset > text.length) {
      return refuseRequest(`entity begins after the end of the text at UTF-16 offset ${offset}`);
    }
    if (end > text.length) {
      return refuseRequest(
        `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`,
      );
    }
    if (splitsPair(text, offset)) {
      return refuseRequest(
        `entity begins in a middle of a UTF-16 symbol at byte offset ${countBytes(text, offset + 1)}`,
      );
    }
    if (splitsPair(text, end)) {
      const at = countBytes(text, end + 1);
      return refuseRequest(
        `entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol at byte offset ${at}`,
      );
    }
  }
  return undefined;
}

/** The most entities of a message that the server keeps (tdlib, `MAX_USER_ENTITY_COUNT`). */
const ENTITY_LIMIT = 100;
/** The most that all entities may take (a maintainer in tdlib/telegram-bot-api, issue 165: about 9,500). */
const ENTITY_LIMIT_BYTES = 9_500;
/** A constructor, an offset and a length of four bytes each. */
const ENTITY_BYTES = 12;
const STYLES: ReadonlySet<EntityType> = new Set(["bold", "italic", "underline", "strikethrough", "spoiler"]);

/** Leaves out what is too many: styles first, from the end. */
export function limitEntities(entities: readonly Entity[]): readonly Entity[] {
  if (entities.length <= ENTITY_LIMIT) return entities;
  const byNeed = [
    ...entities.filter(({ type }) => !STYLES.has(type)),
    ...entities.filter(({ type }) => STYLES.has(type)),
  ];
  const kept = new Set(byNeed.slice(0, ENTITY_LIMIT));
  return entities.filter((entity) => kept.has(entity));
}

export function areTooLong(entities: readonly Entity[]): boolean {
  const sizes = entities.map(({ url, language }) => ENTITY_BYTES + measureString(url) + measureString(language));
  return sizes.reduce((sum, size) => sum + size, 0) > ENTITY_LIMIT_BYTES;
}

/** As MTProto writes a string: its length before it, padded to four bytes. */
function measureString(text: string | undefined): number {
  if (text === undefined) return 0;
  const bytes = Buffer.byteLength(text);
  return Math.ceil((bytes + (bytes < 254 ? 1 : 4)) / 4) * 4;
}

export function sortEntities(entities: readonly Entity[]): Entity[] {
  return [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
}

/** The server counts the place of a fault in bytes of UTF-8. */
export function countBytes(text: string, endUnits: number): number {
  return Buffer.byteLength(text.slice(0, endUnits));
}

function splitsPair(text: string, at: number): boolean {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff;
}
