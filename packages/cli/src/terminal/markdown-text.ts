/** Markdown as a terminal shows it: styled where the terminal has styles, without its marks in any case. */
import { formatPlainText } from "@banyan/core";
import { type MarkdownNode, parseMarkdown } from "@banyan/markdown";

export type TextStyle = "bold" | "italic" | "strikethrough" | "cyan";
/** Gives a word its style; one without colour returns it as it is. */
export type StyleWord = (style: TextStyle, word: string) => string;

const CODE_INDENT = "  ";
const FENCE = /^[`~]/;
/** What a line of a list or a quote begins with. */
const LINE_HEAD = /^[ >]*/;

interface Page {
  readonly source: string;
  readonly style: StyleWord;
}

/** Keeps the lines of the source, except the fences of code, which is indented instead. What is too entangled is shown as it is. */
export function formatMarkdownText(source: string, style: StyleWord = (_style, word) => word): string {
  const root = parseMarkdown(source);
  return root === undefined
    ? source
    : formatChildren(root.children, { start: 0, end: source.length }, { source, style });
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** What is between the children, such as the mark of a list item, stays. */
function formatChildren(children: readonly MarkdownNode[], { start, end }: Range, page: Page): string {
  let shown = "";
  let at = start;
  for (const child of children) {
    const range = findRange(child, at);
    shown += page.source.slice(at, range.start) + formatNode(child, range, page);
    at = range.end;
  }
  return shown + page.source.slice(at, end);
}

function formatNode(node: MarkdownNode, range: Range, page: Page): string {
  const { style } = page;
  switch (node.type) {
    case "text":
      return formatText(node.value, range, page);
    case "strong":
      return styleWords("bold", formatInner(node.children, page), style);
    case "emphasis":
      // `2*3*4` is a product in the answers of agents.
      if (isInWord(range, page.source)) return page.source.slice(range.start, range.end);
      return styleWords("italic", formatInner(node.children, page), style);
    case "delete":
      return styleWords("strikethrough", formatInner(node.children, page), style);
    case "heading":
      return styleWords("bold", formatInner(node.children, { ...page, style: (_style, word) => word }), style);
    case "inlineCode":
      return styleWords("cyan", node.value, style);
    case "code":
      return formatCode(node.value, range, page);
    case "link":
      return formatLink(formatInner(node.children, page), node.url);
    case "image":
      return formatLink(formatPlainText(node.alt ?? ""), node.url);
    case "break":
      return "\n";
    default:
      return "children" in node
        ? formatChildren(node.children, range, page)
        : page.source.slice(range.start, range.end);
  }
}

/** Without the marks around them. */
function formatInner(children: readonly MarkdownNode[], page: Page): string {
  const [first] = children;
  const last = children.at(-1);
  if (first === undefined || last === undefined) return "";
  return formatChildren(children, { start: findRange(first, 0).start, end: findRange(last, 0).end }, page);
}

/** The reader leaves out how lines begin. An entity must not become a control character. */
function formatText(value: string, { start, end }: Range, { source }: Page): string {
  const heads = source
    .slice(start, end)
    .split("\n")
    .map((line) => LINE_HEAD.exec(line)?.[0] ?? "");
  const lines = formatPlainText(value).split("\n");
  return lines.map((line, nth) => (nth === 0 ? line : (heads[nth] ?? "") + line)).join("\n");
}

function formatCode(value: string, { start, end }: Range, { source, style }: Page): string {
  if (!FENCE.test(source.slice(start))) return source.slice(start, end);
  const indent = " ".repeat(start - (source.lastIndexOf("\n", start - 1) + 1));
  const lines = value.split("\n").map((line) => CODE_INDENT + styleWords("cyan", line, style));
  return lines.join(`\n${indent}`);
}

function isInWord({ start, end }: Range, source: string): boolean {
  return /\w/.test(source.charAt(start - 1)) && /\w/.test(source.charAt(end));
}

function formatLink(name: string, url: string): string {
  const address = formatPlainText(url);
  return name === address ? address : `${name} (${address})`;
}

/** Every node of a text that was read has its place. */
function findRange({ position }: MarkdownNode, otherwise: number): Range {
  return { start: position?.start.offset ?? otherwise, end: position?.end.offset ?? otherwise };
}

/** Word by word, so that a line may be broken between any two. */
function styleWords(name: TextStyle, text: string, style: StyleWord): string {
  return text.replaceAll(/\S+/g, (word) => style(name, word));
}
