/** The blocks of Markdown as lines of a chat message: two are as far apart as they are in the source. */
import { formatTable, type MarkdownNode } from "@banyan/markdown";
import { RenderedText } from "./rendered-text.ts";
import { writeInline } from "./write-inline.ts";

type NodeOf<Type extends MarkdownNode["type"]> = Extract<MarkdownNode, { type: Type }>;

/** `source` is what the blocks were parsed from. */
export function writeBlocks(out: RenderedText, blocks: readonly MarkdownNode[], source: string): void {
  for (const [index, block] of blocks.entries()) {
    writeGap(out, blocks[index - 1], block);
    writeBlock(out, block, source);
  }
}

function writeBlock(out: RenderedText, block: MarkdownNode, source: string): void {
  switch (block.type) {
    case "heading":
      out.within({ type: "bold" }, () => writeInline(out, block.children));
      break;
    case "blockquote":
      out.within({ type: "blockquote" }, () => writeBlocks(out, block.children, source));
      break;
    case "list":
      writeList(out, block, source);
      break;
    case "code":
      writeCodeBlock(out, block);
      break;
    case "table":
      out.writeCode({ type: "pre" }, renderTable(block));
      break;
    case "thematicBreak":
      out.write("———");
      break;
    default:
      writeInline(out, [block]);
  }
}

/** An empty line where the source has one. Code begins at the left edge, for Telegram shows it as a box. */
function writeGap(out: RenderedText, previous: MarkdownNode | undefined, next: MarkdownNode): void {
  if (previous === undefined) return;
  const end = previous.position?.end.line ?? 0;
  const gap = (next.position?.start.line ?? end) - end > 1 ? "\n\n" : "\n";
  if (isCode(next)) out.writeRaw(gap);
  else out.write(gap);
}

function writeList(out: RenderedText, list: NodeOf<"list">, source: string): void {
  let previous: ItemNumber | undefined;
  for (const [index, item] of list.children.entries()) {
    writeGap(out, list.children[index - 1], item);
    previous = list.ordered ? numberItem(source.slice(item.position?.start.offset), previous) : undefined;
    const marker = previous === undefined ? "• " : `${previous.shown}${previous.delimiter} `;
    out.write(marker);
    const [first] = item.children;
    if (first !== undefined && isCode(first)) out.writeRaw("\n");
    out.indented(marker.length, () => writeBlocks(out, item.children, source));
  }
}

interface ItemNumber {
  readonly written: string;
  readonly shown: string;
  readonly delimiter: string;
}

/** The number as it was written, for it may be a year; but items that all have the same one are counted. */
function numberItem(item: string, previous: ItemNumber | undefined): ItemNumber {
  const [, written = "1", delimiter = "."] = /^(\d+)([.)])/.exec(item) ?? [];
  const shown = written === previous?.written ? String(Number(previous.shown) + 1) : written;
  return { written, shown, delimiter };
}

function isCode(block: MarkdownNode): boolean {
  return block.type === "code" || block.type === "table";
}

function writeCodeBlock(out: RenderedText, block: NodeOf<"code">): void {
  const language = /^[\w+#.-]{1,32}$/.exec(block.lang ?? "")?.[0];
  const code = block.value.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  out.writeCode({ type: "pre", ...(language === undefined ? {} : { language }) }, code);
}

function renderTable(table: NodeOf<"table">): string {
  const rows = table.children.map((row) => row.children.map(renderCell));
  return formatTable(rows, table.align ?? []);
}

function renderCell(cell: NodeOf<"tableCell">): string {
  const out = new RenderedText({ isFlat: true });
  writeInline(out, cell.children);
  return out.finish().text;
}
