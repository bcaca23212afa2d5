import { type Refusal, refuseRequest } from "../answers/answer.ts";
import { addDetectedEntities } from "./detected-entity.ts";
import { areTooLong, checkEntities, type Entity, limitEntities, sortEntities } from "./entity.ts";
import { parseHtml } from "./html.ts";
import { parseMarkdownV2 } from "./markdown-v2.ts";
import type { Markup } from "./markup.ts";

/** The limit of a message, in UTF-16 code units after entities are parsed. */
const TEXT_LIMIT_UNITS = 4096;
/** The limit of a caption, counted the same way. */
export const CAPTION_LIMIT_UNITS = 1024;

/** A message's text as the server stores it. */
export interface FormattedText {
  readonly ok: true;
  readonly text: string;
  readonly entities: readonly Entity[];
}

export interface TextSource {
  readonly text: string | undefined;
  readonly parseMode: string | undefined;
  readonly entities: readonly Entity[] | undefined;
}

/** Makes the stored text of what a bot sent, or the refusal the server gives. */
export function parseFormattedText(source: TextSource): FormattedText | Refusal {
  if (source.text === undefined || source.text === "") return refuseRequest("message text is empty");
  const markup = parseMarkup(source.text, source.parseMode, source.entities ?? []);
  if (markup === undefined) return refuseRequest("unsupported parse_mode");
  if (!markup.ok) return refuseRequest(`can't parse entities: ${markup.reason}`);
  const fault = checkEntities(markup.text, markup.entities);
  if (fault !== undefined) return fault;

  const { text, entities: all } = trimText(cleanText(markup));
  if (text === "") return refuseRequest("message text is empty");
  if (text.length > TEXT_LIMIT_UNITS) return refuseRequest("message is too long");
  const entities = limitEntities(all);
  if (areTooLong(entities)) return refuseRequest("ENTITIES_TOO_LONG");
  return { ok: true, text, entities: addDetectedEntities(text, entities) };
}

/** A parse mode wins over explicit entities, as on the server. Legacy Markdown is not emulated. */
function parseMarkup(text: string, parseMode: string | undefined, entities: readonly Entity[]): Markup | undefined {
  switch (parseMode?.toLowerCase() ?? "") {
    case "html":
      return parseHtml(text);
    case "markdownv2":
      return parseMarkdownV2(text);
    case "":
      return { ok: true, text, entities: sortEntities(entities) };
    default:
      return undefined;
  }
}

interface Span {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** The server drops carriage returns and turns other control characters, tabs too, into spaces. */
function cleanText({ text, entities }: Span): Span {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
  if (!/[\x00-\x09\x0b-\x1f]/.test(text)) return { text, entities };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
  const spaced = text.replaceAll(/[\x00-\x09\x0b\x0c\x0e-\x1f]/g, " ");
  const cleanLength = (end: number): number => spaced.slice(0, end).replaceAll("\r", "").length;
  const moved = entities.map((entity) => {
    const offset = cleanLength(entity.offset);
    return { ...entity, offset, length: cleanLength(entity.offset + entity.length) - offset };
  });
  return { text: spaced.replaceAll("\r", ""), entities: moved };
}

/** Cuts blanks at the end, and at the beginning as far as no entity begins there. */
function trimText({ text, entities }: Span): Span {
  const firstEntity = entities[0]?.offset ?? text.length;
  const lead = /^[ \n]*/.exec(text.slice(0, firstEntity))?.[0].length ?? 0;
  const trimmed = text.slice(lead).trimEnd();
  if (trimmed.length === text.length) return { text, entities: entities.filter(({ length }) => length > 0) };
  const kept = entities.flatMap((entity) => {
    const offset = entity.offset - lead;
    const length = Math.min(entity.length, trimmed.length - offset);
    return length > 0 ? [{ ...entity, offset, length }] : [];
  });
  return { text: trimmed, entities: kept };
}
