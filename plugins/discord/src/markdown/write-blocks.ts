/** The blocks of Markdown as lines of a chat message: two are as far apart as they are in the source. */

import { formatTable, type MarkdownNode } from "@banyan/markdown";
import { formatCodeBlock } from "./code-text.ts";
import { escapeLineStart, showEscapedLess } from "./escape-text.ts";
import { writeInline } from "./write-inline.ts";

type NodeOf<Type extends MarkdownNode["type"]> = Extract<MarkdownNode, { type: Type }>;

interface Line {
  readonly text: string;
  /** It stands at the left edge, also in a list: of code Discord would show the indentation, a quote would be none. */
  readonly isAtEdge: boolean;
}

/** Around a block. */
interface Surroundings {
  readonly isInList: boolean;
  /** Discord knows no quote within a quote. */
  readonly isInQuote: boolean;
}

/** Of six, Discord has three sizes of titles. */
const TITLE_LIMIT_DEPTH = 3;
/** Deeper lists are not indented further: Discord nests no more. */
const INDENT_LIMIT_SPACES = 20;

/** `source` is what the blocks were parsed from. */
export function writeBlocks(blocks: readonly MarkdownNode[], source: string): string {
  const lines = layBlocks(blocks, source, { isInList: false, isInQuote: false });
  return lines.map(({ text }) => text).join("\n");
}

function layBlocks(blocks: readonly MarkdownNode[], source: string, around: Surroundings): readonly Line[] {
  return blocks.flatMap((block, index) => {
    const lines = layBlock(block, source, around);
    return hasGap(blocks[index - 1], block) ? [{ text: "", isAtEdge: false }, ...lines] : lines;
  });
}

function layBlock(block: MarkdownNode, source: string, around: Surroundings): readonly Line[] {
  switch (block.type) {
    case "heading":
      return layHeading(block, source, around);
    case "blockquote":
      return layQuote(block, source, around);
    case "list":
      return layList(block, source, around);
    case "code":
      return layCode(block);
    case "table":
      return layLines(formatCodeBlock(renderTable(block, source), undefined), true);
    case "thematicBreak":
      return layLines("———", false);
    default:
      return layWords(writeInline([block], { source }));
  }
}

/** An empty line where the source has one. */
function hasGap(previous: MarkdownNode | undefined, next: MarkdownNode): boolean {
  const end = previous?.position?.end.line;
  const start = next.position?.start.line;
  return end !== undefined && start !== undefined && start - end > 1;
}

function layLines(text: string, isAtEdge: boolean): readonly Line[] {
  return text.split("\n").map((line) => ({ text: line, isAtEdge }));
}

function layWords(text: string): readonly Line[] {
  return layLines(text, false).map(({ text: line }) => ({ text: escapeLineStart(line), isAtEdge: false }));
}

function layHeading(heading: NodeOf<"heading">, source: string, { isInList }: Surroundings): readonly Line[] {
  const { depth, children } = heading;
  const isTitle = depth <= TITLE_LIMIT_DEPTH && !isInList;
  const text = writeInline(children, isTitle ? { source } : { source, marks: ["**"] });
  if (text.trim() === "") return [];
  return layLines(isTitle ? `${"#".repeat(depth)} ${escapeLineStart(text)}` : `**${text}**`, false);
}

function layQuote(quote: NodeOf<"blockquote">, source: string, around: Surroundings): readonly Line[] {
  const lines = layBlocks(quote.children, source, { isInList: false, isInQuote: true });
  if (around.isInQuote) return lines;
  // The space is a part of the mark, also on an empty line.
  return lines.map(({ text }) => ({ text: `> ${text}`, isAtEdge: true }));
}

function layCode({ value, lang }: NodeOf<"code">): readonly Line[] {
  const code = showEscapedLess(value)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  return code === "" ? [] : layLines(formatCodeBlock(code, lang), true);
}

function layList(list: NodeOf<"list">, source: string, around: Surroundings): readonly Line[] {
  let previous: ItemNumber | undefined;
  const lines: Line[] = [];
  for (const [index, item] of list.children.entries()) {
    if (hasGap(list.children[index - 1], item)) lines.push({ text: "", isAtEdge: false });
    previous = list.ordered ? numberItem(source.slice(item.position?.start.offset), previous) : undefined;
    const marker = previous === undefined ? "- " : `${previous.shown}. `;
    lines.push(...layItem(marker, layBlocks(item.children, source, { ...around, isInList: true })));
  }
  return lines;
}

function layItem(marker: string, lines: readonly Line[]): readonly Line[] {
  const [first] = lines;
  const indent = " ".repeat(marker.length);
  const isBare = first === undefined || first.isAtEdge;
  const rest = (isBare ? lines : lines.slice(1)).map((line) => (line.isAtEdge ? line : indentLine(line, indent)));
  return [{ text: isBare ? marker : marker + first.text, isAtEdge: false }, ...rest];
}

function indentLine({ text }: Line, indent: string): Line {
  const spaces = text.length - text.trimStart().length;
  return { text: text === "" || spaces >= INDENT_LIMIT_SPACES ? text : indent + text, isAtEdge: false };
}

interface ItemNumber {
  readonly written: string;
  readonly shown: string;
}

/** The number as it was written, for it may be a year; but items that all have the same one are counted. */
function numberItem(item: string, previous: ItemNumber | undefined): ItemNumber {
  const [, written = "1"] = /^(\d+)[.)]/.exec(item) ?? [];
  const shown = written === previous?.written ? String(Number(previous.shown) + 1) : written;
  return { written, shown };
}

function renderTable(table: NodeOf<"table">, source: string): string {
  const rows = table.children.map((row) =>
    row.children.map((cell) => writeInline(cell.children, { source, isFlat: true }).trim()),
  );
  return formatTable(rows, table.align ?? []);
}
