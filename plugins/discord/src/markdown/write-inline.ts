/** What is inside a line of Markdown: styles, code, links, pictures. */

import type { MarkdownNode } from "@banyan/markdown";
import { formatInlineCode } from "./code-text.ts";
import { escapeText, showEscapedLess, unescapeLess } from "./escape-text.ts";
import { formatLink } from "./link-text.ts";

/** What is around a node. */
export interface InlineContext {
  /** What the nodes were parsed from. */
  readonly source: string;
  /** The styles: none is opened twice, for the second mark would close the first. */
  readonly marks?: readonly string[];
  readonly isInLink?: boolean;
  /** Words alone, as they are read: in a table, which is code. */
  readonly isFlat?: boolean;
}

export function writeInline(nodes: readonly MarkdownNode[], context: InlineContext): string {
  return joinNames(nodes, context.source)
    .map((node) => writeInlineNode(node, context))
    .join("");
}

/** The nodes with the lines and stars of addresses and emoji as the words that they are. */
function joinNames(nodes: readonly MarkdownNode[], source: string): readonly MarkdownNode[] {
  const joined: MarkdownNode[] = [];
  let isInName = false;
  for (const node of nodes) {
    const last = joined.at(-1);
    const words = isInName ? readWords(node, source) : undefined;
    if (words !== undefined && last?.type === "text") joined.splice(-1, 1, { type: "text", value: last.value + words });
    else joined.push(node);
    const now = joined.at(-1);
    isInName = now?.type === "text" && endsInName(now.value);
  }
  return joined;
}

/** Whether an address or an emoji begins at the end of the text: what follows is a part of it. One pass. */
function endsInName(text: string): boolean {
  const last = text.slice(Math.max(...[" ", "\t", "\n"].map((space) => text.lastIndexOf(space))) + 1);
  const bracket = last.lastIndexOf("<");
  return /https?:\/\//.test(last.slice(bracket + 1)) || (bracket >= 0 && /^<a?:\w*$/.test(last.slice(bracket)));
}

function readWords(node: MarkdownNode, source: string): string | undefined {
  if (node.type === "text") return node.value;
  if (node.type !== "emphasis" && node.type !== "strong" && node.type !== "delete") return undefined;
  return source.slice(node.position?.start.offset, node.position?.end.offset);
}

function writeInlineNode(node: MarkdownNode, context: InlineContext): string {
  switch (node.type) {
    case "emphasis":
      return writeStyled("*", node.children, context);
    case "strong":
      return writeStyled("**", node.children, context);
    case "delete":
      return writeStyled("~~", node.children, context);
    case "inlineCode":
      return context.isFlat ? showEscapedLess(node.value) : formatInlineCode(showEscapedLess(node.value));
    case "break":
      return context.isFlat ? " " : "\n";
    case "link":
      return writeLink(writeInline(node.children, { ...context, isInLink: true }), unescapeLess(node.url), context);
    case "image":
      return writeLink(writeText(node.alt ?? "", context), unescapeLess(node.url), context);
    default:
      if ("children" in node) return writeInline(node.children, context);
      return "value" in node ? writeText(node.value, context) : "";
  }
}

function writeText(text: string, { isFlat, isInLink }: InlineContext): string {
  if (isFlat) return unescapeLess(text);
  // A bracket would end the label.
  return isInLink ? escapeText(text).replaceAll(/[[\]]/g, "\\$&") : escapeText(text);
}

function writeStyled(mark: string, children: readonly MarkdownNode[], context: InlineContext): string {
  const { isFlat, marks = [] } = context;
  if (isFlat || marks.includes(mark)) return writeInline(children, context);
  const inner = writeInline(children, { ...context, marks: [...marks, mark] });
  return inner.trim() === "" ? inner : mark + inner + mark;
}

function writeLink(label: string, destination: string, { isInLink, isFlat }: InlineContext): string {
  if (isInLink) return label;
  if (isFlat) return label.includes(destination) || label === "" ? label || destination : `${label} (${destination})`;
  return formatLink(label, destination);
}
