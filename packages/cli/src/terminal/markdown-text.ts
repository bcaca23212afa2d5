/** Markdown as a terminal shows it: styled where the terminal has styles, without its marks in any case. */

export type TextStyle = "bold" | "italic" | "strikethrough" | "cyan";
/** Gives a word its style; one without colour gives it back as it is. */
export type StyleWord = (style: TextStyle, word: string) => string;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6} +(.+?)(?: +#+)? *$/;
const CODE_SPAN = /(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
const ESCAPED = /\\([\\`*_~[\]])/g;
const CODE_INDENT = "  ";
/** First of the private characters that stand for an escaped one while marks are searched. */
const PRIVATE = 0xe000;
/** Those of the marks above and of no other character: an agent may write private characters, and none may become a control. */
const PRIVATE_RANGE = /[\ue02a\ue05b-\ue05d\ue05f\ue060\ue07e]/g;

/** In this order: an address may hold the marks of emphasis, and `**` both of `*`. */
const MARKS: readonly (readonly [mark: RegExp, style: TextStyle])[] = [
  [/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, "bold"],
  [/(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)/g, "bold"],
  [/~~(?=\S)(.+?)(?<=\S)~~/g, "strikethrough"],
  [/(?<![\w*])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*])/g, "italic"],
  [/(?<!\w)_(?=[^\s_])([^_]+?)(?<=\S)_(?!\w)/g, "italic"],
];
const LINK = /\[([^\]]+)\]\((\S+?)\)/g;

/** Takes a text without control characters. Keeps its lines, but for the fences of code, which is indented instead. */
export function formatMarkdownText(text: string, style: StyleWord = (_style, word) => word): string {
  let fence: string | undefined;
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    } else if (fence !== undefined) lines.push(CODE_INDENT + styleWords("cyan", line, style));
    else lines.push(formatLine(line, style));
  }
  return lines.join("\n");
}

function formatLine(line: string, style: StyleWord): string {
  const [, heading] = HEADING.exec(line) ?? [];
  return heading === undefined ? formatInline(line, style) : styleWords("bold", formatInline(heading), style);
}

function formatInline(line: string, style: StyleWord = (_style, word) => word): string {
  const hidden = line.replaceAll(ESCAPED, (_, mark: string) => String.fromCharCode(PRIVATE + mark.charCodeAt(0)));
  let shown = "";
  let at = 0;
  for (const { 0: span, 2: code = "", index } of hidden.matchAll(CODE_SPAN)) {
    shown += formatMarks(hidden.slice(at, index), style);
    shown += styleWords(
      "cyan",
      code.replaceAll(PRIVATE_RANGE, (mark) => `\\${reveal(mark)}`),
      style,
    );
    at = index + span.length;
  }
  return shown + formatMarks(hidden.slice(at), style);
}

function formatMarks(text: string, style: StyleWord): string {
  const linked = text.replaceAll(LINK, (_, name: string, address: string) =>
    name === address ? address : `${name} (${address})`,
  );
  const styled = MARKS.reduce(
    (rest, [mark, name]) => rest.replaceAll(mark, (_, inner: string) => styleWords(name, inner, style)),
    linked,
  );
  return styled.replaceAll(PRIVATE_RANGE, reveal);
}

/** Word by word, so that a line may be broken between any two. */
function styleWords(name: TextStyle, text: string, style: StyleWord): string {
  return text.replaceAll(/\S+/g, (word) => style(name, word));
}

function reveal(mark: string): string {
  return String.fromCharCode(mark.charCodeAt(0) - PRIVATE);
}
