/** Markdown as Telegram shows it: plain text and entities over it, so there is no escaping to get wrong. */

import { formatPlainText, type MarkdownRoot, parseMarkdown } from "@banyan/markdown";
import type { MessageEntity } from "grammy/types";
import { isPlainText } from "./plain-text.ts";
import { RenderedText } from "./rendered-text.ts";
import { writeBlocks } from "./write-blocks.ts";

export interface RenderedMarkdown {
  readonly text: string;
  /** In order, at most 100; offsets in UTF-16 code units of `text`. */
  readonly entities: MessageEntity[];
}

/**
 * Never throws, for any string, and never loses a word: what is above the parser's limits, and what Markdown would show
 * nothing of (an empty code block), is shown as it was written. The text is blank only for a blank source.
 */
export function renderMarkdown(source: string): RenderedMarkdown {
  const plain = { text: formatPlainText(source), entities: [] };
  if (isPlainText(source)) return plain;
  const root = parseMarkdown(plain.text);
  if (root === undefined) return plain;
  const rendered = renderTree(root, plain.text);
  return rendered.text.trim() === "" ? plain : rendered;
}

/** `source` is what the tree was parsed from. */
export function renderTree(root: MarkdownRoot, source: string): RenderedMarkdown {
  const out = new RenderedText();
  writeBlocks(out, root.children, source);
  return out.finish();
}
