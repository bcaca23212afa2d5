import { countBytes, type Entity, sortEntities } from "./entity.ts";
import { HTML_TAGS, type HtmlTag, parseCharacterReference, parseHtmlTag } from "./html-tag.ts";
import { formatLinkUrl, type Markup } from "./markup.ts";

interface OpenTag {
  readonly tag: HtmlTag;
  readonly offset: number;
}

/** Parse mode HTML: the rendered text with its entities, or the server's complaint. */
export function parseHtml(source: string): Markup {
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = "";

  for (let at = 0; at < source.length; ) {
    const character = source[at];
    if (character === "&") {
      const reference = parseCharacterReference(source, at);
      text += reference?.text ?? "&";
      at = reference?.end ?? at + 1;
    } else if (character !== "<") {
      const next = findMarkup(source, at);
      text += source.slice(at, next);
      at = next;
    } else if (source[at + 1] !== "/") {
      const tag = parseHtmlTag(source, at);
      if (!tag.ok) return tag;
      open.push({ tag, offset: text.length });
      at = tag.end;
    } else {
      const closing = closeTag(source, at, open, text, entities);
      if (!closing.ok) return closing;
      at = closing.end;
    }
  }

  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    return { ok: false, reason: `Can't find end tag corresponding to start tag "${unclosed.tag.name}"` };
  }
  if (!text.isWellFormed()) {
    const reason = "Text contains invalid Unicode characters after decoding HTML entities";
    return { ok: false, reason: `${reason}, check for unmatched surrogate code units` };
  }
  return { ok: true, text, entities: sortEntities(entities) };
}

function findMarkup(source: string, at: number): number {
  const pattern = /[<&]/g;
  pattern.lastIndex = at;
  return pattern.exec(source)?.index ?? source.length;
}

type Closing = { readonly ok: true; readonly end: number } | { readonly ok: false; readonly reason: string };

function closeTag(source: string, at: number, open: OpenTag[], text: string, entities: Entity[]): Closing {
  const place = countBytes(source, at);
  const last = open.at(-1);
  if (last === undefined) return { ok: false, reason: `Unexpected end tag at byte offset ${place}` };
  const pattern = /<\/([^\s>]*)\s*>/y;
  pattern.lastIndex = at;
  const match = pattern.exec(source);
  if (match === null) return { ok: false, reason: `Unclosed end tag at byte offset ${place}` };
  const found = (match[1] ?? "").toLowerCase();
  const expected = last.tag.name;
  if (found !== "" && found !== expected) {
    const reason = `Unmatched end tag at byte offset ${place}, expected "</${expected}>", found "</${found}>"`;
    return { ok: false, reason };
  }
  open.pop();
  if (text.length > last.offset) {
    const fault = addEntity(last, text, entities);
    if (fault !== undefined) return { ok: false, reason: fault };
  }
  return { ok: true, end: pattern.lastIndex };
}

/** Returns the complaint, if there is one. */
function addEntity({ tag, offset }: OpenTag, text: string, entities: Entity[]): string | undefined {
  const span = { offset, length: text.length - offset };
  const type = HTML_TAGS.get(tag.name) ?? "bold";
  const inner = entities.at(-1);
  const fillsIt = inner?.offset === span.offset && inner.length === span.length;

  if (type === "text_link") {
    const url = formatLinkUrl(tag.attributes.get("href") || text.slice(offset));
    if (url !== undefined) entities.push({ type, ...span, url });
  } else if (type === "custom_emoji") {
    const id = tag.attributes.get("emoji-id") ?? "";
    if (!/^[1-9]\d{0,18}$/.test(id)) return "Invalid custom emoji identifier specified";
    entities.push({ type, ...span, custom_emoji_id: id });
  } else if (type === "blockquote" && tag.attributes.has("expandable")) {
    entities.push({ type: "expandable_blockquote", ...span });
  } else if (type === "code") {
    const language = /^language-(.+)$/.exec(tag.attributes.get("class") ?? "")?.[1];
    entities.push(language === undefined ? { type, ...span } : { type, ...span, language });
  } else if (type === "pre" && inner?.type === "code" && fillsIt && inner.language !== undefined) {
    entities.pop();
    entities.push({ type, ...span, language: inner.language });
  } else {
    entities.push({ type, ...span });
  }
  return undefined;
}
