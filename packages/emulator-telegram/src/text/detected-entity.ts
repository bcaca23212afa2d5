import { type Entity, type EntityType, sortEntities } from "./entity.ts";

/** The ends of addresses without a scheme that Telegram takes for links, as far as tests meet them. */
const TOP_LEVELS = "com|org|net|edu|gov|info|io|dev|app|ai|me|co|de|uk|fr|ru|eu|us|xyz|site|online";

/** In this order: what was found first hides what overlaps it. */
const PATTERNS: readonly (readonly [EntityType, RegExp])[] = [
  ["url", /\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/gi],
  ["email", /(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]+\.)+[a-z]{2,24}\b/gi],
  [
    "url",
    new RegExp(
      `(?<![\\w@/.-])(?:[\\p{L}\\d][\\p{L}\\d-]*\\.)+(?:${TOP_LEVELS})(?![\\w@-])(?::\\d{1,5})?(?:[/?#](?:[^\\s<>"]*[^\\s<>".,;:!?)\\]])?)?`,
      "giu",
    ),
  ],
  ["bot_command", /(?<![\w/@.])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/])/g],
  ["mention", /(?<![\w@/])@[A-Za-z][A-Za-z0-9_]{2,31}\b/g],
  ["hashtag", /(?<![\p{L}\p{N}_#&])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu],
  ["cashtag", /(?<![\w$])\$[A-Z]{3,8}(?!\w)/g],
  ["phone_number", /(?<![\w+])\+\d{10,15}(?!\w)/g],
];

/** Nothing is detected inside these. */
const OPAQUE: ReadonlySet<EntityType> = new Set<EntityType>([
  "code",
  "pre",
  "text_link",
  "text_mention",
  "url",
  "email",
]);

/** Adds what the server finds by itself (commands, mentions, links, addresses, tags) to the entities that were given. */
export function addDetectedEntities(text: string, given: readonly Entity[]): readonly Entity[] {
  if (!/[/@#$+]|\.[^\s.]/.test(text)) return given;
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
