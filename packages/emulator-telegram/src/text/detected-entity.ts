import { type Entity, type EntityType, sortEntities } from "./entity.ts";

const PATTERNS: readonly (readonly [EntityType, RegExp])[] = [
  ["url", /\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g],
  ["bot_command", /(?<![\w/@.])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/])/g],
  ["mention", /(?<![\w@/])@[A-Za-z][A-Za-z0-9_]{2,31}\b/g],
  ["hashtag", /(?<![\p{L}\p{N}_#&])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu],
];

/** Nothing is detected inside these. */
const OPAQUE: ReadonlySet<EntityType> = new Set<EntityType>(["code", "pre", "text_link", "text_mention", "url"]);

/** Adds what the server finds by itself (commands, mentions, links, hashtags) to the entities that were given. */
export function addDetectedEntities(text: string, given: readonly Entity[]): readonly Entity[] {
  if (!/[/@#]/.test(text)) return given;
  const entities = [...given];
  for (const [type, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const found: Entity = { type, offset: match.index, length: match[0].length };
      if (!entities.some((other) => hides(other, found))) entities.push(found);
    }
  }
  return sortEntities(entities);
}

function hides(other: Entity, found: Entity): boolean {
  const overlaps = other.offset < found.offset + found.length && found.offset < other.offset + other.length;
  return overlaps && (OPAQUE.has(other.type) || other.type === found.type);
}
