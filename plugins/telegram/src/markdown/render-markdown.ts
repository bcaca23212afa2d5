/** Markdown as Telegram shows it: plain text and entities over it, so there is no escaping to get wrong. */

import { formatPlainText, type MarkdownRoot, parseMarkdown } from "@banyan/markdown";
import type { MessageEntity } from "grammy/types";
import { URL_LIMIT_CHARS } from "./link-url.ts";
import { isPlainText } from "./plain-text.ts";
import { limitEntities, RenderedText, type RenderedTextOptions } from "./rendered-text.ts";
import { writeBlocks } from "./write-blocks.ts";

export interface RenderedMarkdown {
  readonly text: string;
  /** In order, at most 100; offsets in UTF-16 code units of `text`. */
  readonly entities: MessageEntity[];
  /** The text to send if the entities are refused: links show their addresses. May be too long. Absent: `text`. */
  readonly flat?: string;
}

/** Each address that can be a link is shown. */
const FLAT: RenderedTextOptions = { isFlat: true, shownUrlLimitChars: URL_LIMIT_CHARS };

/**
 * Never throws, for any string, and never loses a word: what is above the parser's limits, and what Markdown would show
 * nothing of (an empty code block), is shown as it was written. The text is blank only for a blank source.
 */
export function renderMarkdown(source: string): RenderedMarkdown {
  const { text, entities } = renderWhole(source);
  if (!entities.some(({ type }) => type === "text_link")) return { text, entities: limitEntities(entities) };
  return { text, entities: limitEntities(entities), flat: renderWhole(source, FLAT).text };
}

/** With all entities, however many. */
export function renderWhole(source: string, look?: RenderedTextOptions): RenderedMarkdown {
  const plain = { text: formatPlainText(source), entities: [] };
  if (isPlainText(source)) return plain;
  const root = parseMarkdown(plain.text);
  if (root === undefined) return plain;
  const rendered = renderTree(root, plain.text, look);
  return rendered.text.trim() === "" ? plain : rendered;
}

/** `source` is what the tree was parsed from. */
export function renderTree(root: MarkdownRoot, source: string, look?: RenderedTextOptions): RenderedMarkdown {
  const out = new RenderedText(look);
  writeBlocks(out, root.children, source);
  return out.finish();
}
