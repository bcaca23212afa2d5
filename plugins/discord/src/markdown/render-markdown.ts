/** Markdown as Discord shows it: its own Markdown, with what would mean something else there escaped. */
import { formatPlainText, parseMarkdown } from "@banyan/markdown";
import { hideEscapedLess, restoreEscapedLess } from "./escape-text.ts";
import { isPlainText } from "./plain-text.ts";
import { writeBlocks } from "./write-blocks.ts";

/**
 * What is sent for a text in CommonMark. Never throws, for any string, and never loses a word: what is above the parser's
 * limits, and what Markdown would show nothing of (an empty code block), is sent as it was written. The text is blank only for a blank source.
 */
export function renderMarkdown(source: string): string {
  const plain = formatPlainText(source);
  if (isPlainText(source)) return plain;
  const hidden = hideEscapedLess(plain);
  const root = parseMarkdown(hidden);
  if (root === undefined) return plain;
  const text = writeBlocks(root.children, hidden).replace(/^\n+/, "").trimEnd();
  if (text.trim() === "") return plain;
  return hidden === plain ? text : restoreEscapedLess(text);
}
