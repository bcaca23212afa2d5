/**
 * What a person wrote, as Markdown. Only the marks that carry meaning are written out: code, fenced code and hidden link
 * addresses. Emphasis is left away, and plain text stays as it is typed: an escaped file name is no file name any more.
 */
import type { MessageEntity } from "grammy/types";
import type { MarkedText } from "./mention.ts";

/** The text from `start` on, in UTF-16 units. Total: an entity that does not fit into the text is left away. */
export function formatMessageText({ text, entities }: MarkedText, start: number): string {
  let out = "";
  let at = start;
  for (const entity of [...entities].sort((one, other) => one.offset - other.offset)) {
    const end = entity.offset + entity.length;
    if (entity.offset < at || end > text.length || entity.length <= 0) continue;
    const inner = text.slice(entity.offset, end);
    const before = out + text.slice(at, entity.offset);
    const marked = formatEntity(entity, inner, before, text.slice(end, end + 1));
    if (marked === undefined) continue;
    out = marked;
    at = end;
  }
  return out + text.slice(at);
}

/** All up to the end of the entity; `undefined` for one that is not written out. `next` is the unit behind it. */
function formatEntity(entity: MessageEntity, inner: string, before: string, next: string): string | undefined {
  switch (entity.type) {
    case "code":
      return before + formatCode(inner);
    case "pre":
      return formatFence(inner, entity.language, before, next);
    case "text_link": {
      // Servers of others may leave it out.
      const { url }: { readonly url?: string } = entity;
      // Behind a "!" it would be an image.
      return url === undefined ? undefined : before.replace(/!$/, "\\!") + formatLink(inner, url);
    }
    default:
      return undefined;
  }
}

function formatCode(inner: string): string {
  const ticks = "`".repeat(measureTicks(inner) + 1);
  const pad = /^[`\s]|[`\s]$/.test(inner) ? " " : "";
  return ticks + pad + inner + pad + ticks;
}

function formatFence(inner: string, language: string | undefined, before: string, next: string): string {
  const ticks = "`".repeat(Math.max(3, measureTicks(inner) + 1));
  const name = language !== undefined && /^[\w+#.-]{1,32}$/.test(language) ? language : "";
  const head = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  const body = inner.endsWith("\n") ? inner : `${inner}\n`;
  return `${head}${ticks}${name}\n${body}${ticks}${next === "" || next === "\n" ? "" : "\n"}`;
}

function formatLink(label: string, url: string): string {
  if (label === url) return url;
  return `[${label.replace(/[\\[\]]/g, "\\$&")}](${url.replace(/[\\()<>\s]/g, escapeUnit)})`;
}

function escapeUnit(unit: string): string {
  return unit === "(" ? "%28" : unit === ")" ? "%29" : encodeURIComponent(unit);
}

/** The longest run of backticks. */
function measureTicks(inner: string): number {
  return Math.max(0, ...(inner.match(/`+/g) ?? []).map(({ length }) => length));
}
