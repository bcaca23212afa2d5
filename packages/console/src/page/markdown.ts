import { type Inline, parseInline } from "./inline-markdown.ts";

/** A piece of a message, one below the other. */
export type Block =
  | { readonly type: "paragraph"; readonly content: readonly Inline[] }
  | { readonly type: "heading"; readonly level: number; readonly content: readonly Inline[] }
  | { readonly type: "code"; readonly text: string; readonly language?: string }
  | { readonly type: "list"; readonly start?: number; readonly items: readonly (readonly Block[])[] };

/** Lists within lists; what lies deeper is read as text. */
const DEEPEST = 8;
const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
const BULLET = /^( {0,3})(?:[-*+•]|(\d{1,9})[.)])([ \t]+)(?=\S)/;

/** The lines still to read. */
interface Lines {
  readonly all: readonly string[];
  at: number;
}

/**
 * Reads as much Markdown as a chat needs: paragraphs, headings, fences, lists, and what `parseInline` knows. Total:
 * what is no markup is text, and an open fence ends with the message, so that a growing answer looks like a grown one.
 */
export function parseMarkdown(source: string): readonly Block[] {
  return parseBlocks(source.split(/\r\n|\r|\n/), 0);
}

function parseBlocks(all: readonly string[], depth: number): readonly Block[] {
  const lines: Lines = { all, at: 0 };
  const blocks: Block[] = [];
  while (lines.at < all.length) {
    const line = all[lines.at] ?? "";
    if (line.trim() === "") lines.at += 1;
    else blocks.push(readFence(lines) ?? readHeading(lines) ?? readList(lines, depth) ?? readParagraph(lines));
  }
  return blocks;
}

function readFence(lines: Lines): Block | undefined {
  const opening = parseFence(lines.all[lines.at] ?? "");
  if (opening === undefined) return undefined;
  const { mark, language } = opening;
  lines.at += 1;
  const code: string[] = [];
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at] ?? "";
    lines.at += 1;
    if (isClosing(line, mark)) break;
    code.push(line);
  }
  return { type: "code", text: code.join("\n"), ...(language === "" ? {} : { language }) };
}

/** Not one expression: those that could tell a fence take a time that grows with the square of a long line. */
function parseFence(line: string): { mark: string; language: string } | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return undefined;
  const info = line.trimStart().slice(mark.length).trim();
  if (mark.startsWith("`") && info.includes("`")) return undefined;
  return { mark, language: info.split(/\s/, 1)[0] ?? "" };
}

function isClosing(line: string, mark: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === (mark[0] ?? "").repeat(text.length);
}

function readHeading(lines: Lines): Block | undefined {
  const match = HEADING.exec(lines.all[lines.at] ?? "");
  if (match === null) return undefined;
  lines.at += 1;
  const [, marks = "", text = ""] = match;
  return { type: "heading", level: marks.length, content: parseInline(text) };
}

function readList(lines: Lines, depth: number): Block | undefined {
  const first = depth < DEEPEST ? BULLET.exec(lines.all[lines.at] ?? "") : null;
  if (first === null) return undefined;
  const isOrdered = first[2] !== undefined;
  const items: (readonly Block[])[] = [];
  while (lines.at < lines.all.length) {
    const bullet = BULLET.exec(lines.all[lines.at] ?? "");
    if (bullet === null || (bullet[2] !== undefined) !== isOrdered) break;
    items.push(parseBlocks(readItem(lines, { bullet: bullet[0].length, indent: bullet[1]?.length ?? 0 }), depth + 1));
  }
  return isOrdered ? { type: "list", start: Number(first[2]), items } : { type: "list", items };
}

/** The lines of one item, without its bullet and what is indented below it. */
function readItem(lines: Lines, width: { bullet: number; indent: number }): readonly string[] {
  const item = [(lines.all[lines.at] ?? "").slice(width.bullet)];
  const isBelow = (line: string | undefined): boolean => line !== undefined && countIndent(line) >= width.indent + 2;
  lines.at += 1;
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at] ?? "";
    const isAfterBlank = item.at(-1)?.trim() === "";
    const isOwn =
      line.trim() === "" ? isBelow(lines.all[lines.at + 1]) : isBelow(line) || !(isAfterBlank || startsBlock(line));
    if (!isOwn) break;
    item.push(line.slice(Math.max(0, Math.min(width.bullet, countIndent(line)))));
    lines.at += 1;
  }
  // Blank lines between items part them, they belong to none.
  while (lines.all[lines.at]?.trim() === "" && BULLET.test(lines.all[lines.at + 1] ?? "")) lines.at += 1;
  return item;
}

function readParagraph(lines: Lines): Block {
  const text: string[] = [];
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at] ?? "";
    if (line.trim() === "" || (text.length > 0 && startsBlock(line))) break;
    text.push(line.trim());
    lines.at += 1;
  }
  return { type: "paragraph", content: parseInline(text.join("\n")) };
}

function startsBlock(line: string): boolean {
  return parseFence(line) !== undefined || HEADING.test(line) || BULLET.test(line);
}

/** -1 for a blank line, which is indented below nothing. */
function countIndent(line: string): number {
  const text = line.trimStart();
  return text === "" ? -1 : line.length - text.length;
}
