import { countBytes, type EntityType } from "./entity.ts";

/** The start tag of Telegram's HTML at one place of the source. */
export interface HtmlTag {
  readonly ok: true;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

export type HtmlTagReading = HtmlTag | { readonly ok: false; readonly reason: string };

/** What a tag becomes; `span` and `tg-spoiler` are one, `a` and `tg-emoji` need their attribute. */
export const HTML_TAGS: ReadonlyMap<string, EntityType> = new Map<string, EntityType>([
  ["a", "text_link"],
  ["b", "bold"],
  ["strong", "bold"],
  ["i", "italic"],
  ["em", "italic"],
  ["s", "strikethrough"],
  ["strike", "strikethrough"],
  ["del", "strikethrough"],
  ["u", "underline"],
  ["ins", "underline"],
  ["span", "spoiler"],
  ["tg-spoiler", "spoiler"],
  ["tg-emoji", "custom_emoji"],
  ["pre", "pre"],
  ["code", "code"],
  ["blockquote", "blockquote"],
]);

/** Reads the tag that begins at `start`, where the source has "<" and no "/" behind it. */
export function parseHtmlTag(source: string, start: number): HtmlTagReading {
  const place = `at byte offset ${countBytes(source, start)}`;
  const nameEnd = findFrom(source, /[\s>]/g, start + 1);
  if (nameEnd === -1) return { ok: false, reason: `Unclosed start tag ${place}` };
  const name = source.slice(start + 1, nameEnd).toLowerCase();
  if (!HTML_TAGS.has(name)) return { ok: false, reason: `Unsupported start tag "${name}" ${place}` };

  const attributes = new Map<string, string>();
  let at = nameEnd;
  for (;;) {
    at = skipSpace(source, at);
    if (source[at] === ">") break;
    const attribute = parseAttribute(source, at, name, place);
    if (!attribute.ok) return attribute;
    attributes.set(attribute.name, attribute.value);
    at = attribute.end;
  }
  if (name === "span" && attributes.get("class") !== "tg-spoiler") {
    return { ok: false, reason: `Tag "span" must have class "tg-spoiler" ${place}` };
  }
  return { ok: true, name, attributes, end: at + 1 };
}

/** Turns the character reference at `at` into its character; undefined where there is none Telegram knows. */
export function parseCharacterReference(source: string, at: number): { text: string; end: number } | undefined {
  const pattern = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot)(?![a-z]));?/iy;
  pattern.lastIndex = at;
  const match = pattern.exec(source);
  if (match === null) return undefined;
  const [whole, hex, decimal, named] = match;
  const end = at + whole.length;
  if (named !== undefined) {
    const text = NAMED_CHARACTERS.get(named);
    return text === undefined ? undefined : { text, end };
  }
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code === 0 || code >= 0x10ffff ? undefined : { text: String.fromCodePoint(code), end };
}

const NAMED_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
]);

type AttributeReading =
  | { readonly ok: true; readonly name: string; readonly value: string; readonly end: number }
  | { readonly ok: false; readonly reason: string };

function parseAttribute(source: string, start: number, tag: string, place: string): AttributeReading {
  const nameEnd = findFrom(source, /[\s=>]/g, start);
  if (nameEnd === -1) return { ok: false, reason: `Unclosed start tag ${place}` };
  const name = source.slice(start, nameEnd).toLowerCase();
  if (name === "") return { ok: false, reason: `Empty attribute name in the tag "${tag}" ${place}` };
  const equalSign = skipSpace(source, nameEnd);
  if (source[equalSign] !== "=") {
    if (tag === "blockquote" && name === "expandable") return { ok: true, name, value: "", end: nameEnd };
    return { ok: false, reason: `Expected equal sign in declaration of an attribute of the tag "${tag}" ${place}` };
  }
  const valueStart = skipSpace(source, equalSign + 1);
  const quote = source[valueStart];
  if (quote === undefined) return { ok: false, reason: `Unclosed start tag "${tag}" ${place}` };
  if (quote === '"' || quote === "'") {
    const close = source.indexOf(quote, valueStart + 1);
    if (close === -1 || close === source.length - 1) return { ok: false, reason: `Unclosed start tag ${place}` };
    return { ok: true, name, value: decodeReferences(source.slice(valueStart + 1, close)), end: close + 1 };
  }
  const valueEnd = findFrom(source, /[^a-zA-Z0-9.-]/g, valueStart);
  if (valueEnd === -1) return { ok: false, reason: `Unclosed start tag ${place}` };
  if (!/[\s>]/.test(source[valueEnd] ?? "")) {
    return { ok: false, reason: `Unexpected end of name token at byte offset ${countBytes(source, valueStart)}` };
  }
  return { ok: true, name, value: source.slice(valueStart, valueEnd).toLowerCase(), end: valueEnd };
}

function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  let decoded = "";
  for (let at = 0; at < text.length; ) {
    const reference = text[at] === "&" ? parseCharacterReference(text, at) : undefined;
    decoded += reference?.text ?? text[at];
    at = reference?.end ?? at + 1;
  }
  return decoded;
}

function skipSpace(source: string, at: number): number {
  const next = findFrom(source, /\S/g, at);
  return next === -1 ? source.length : next;
}

function findFrom(source: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(source)?.index ?? -1;
}
