/** A piece of a line. Plain data: what shows it makes text nodes of it, never markup. */
export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "break" }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis"; readonly content: readonly Inline[] }
  | { readonly type: "link"; readonly href: string; readonly content: readonly Inline[] };

/** Bold in a link in bold is as deep as people write. */
const DEEPEST = 3;

interface Around {
  readonly depth: number;
  readonly isLink: boolean;
}
const LINK = /\[([^[\]\n]{1,1000})\]\((https?:\/\/[^\s()]{1,2000})\)/y;
/** What a backslash takes the meaning from: the marks of ASCII (CommonMark, "Backslash escapes"). */
const MARK = /[!-/:-@[-`{-~]/;
const BARE_LINK = /https?:\/\/[^\s<>"`]{1,2000}/y;
/** Ends a sentence rather than an address. */
const TRAILING = /[.,;:!?'"*_)\]]+$/;

interface Found {
  readonly inline: Inline;
  readonly end: number;
}

/** Reads the Markdown of a paragraph. Total: what is no markup is text. */
export function parseInline(source: string): readonly Inline[] {
  return parseWithin(source, { depth: 0, isLink: false });
}

function parseWithin(source: string, around: Around): readonly Inline[] {
  const inlines: Inline[] = [];
  // Marks whose closing one was looked for in vain: not looked for again, so the time stays linear.
  const unclosed = new Set<string>();
  let textStart = 0;
  let at = 0;
  while (at < source.length) {
    const found = findInline(source, at, around, unclosed);
    if (found === undefined) {
      at += source[at] === "`" ? countRun(source, at) : 1;
      continue;
    }
    if (at > textStart) inlines.push({ type: "text", text: source.slice(textStart, at) });
    inlines.push(found.inline);
    at = found.end;
    textStart = at;
  }
  if (textStart < source.length) inlines.push({ type: "text", text: source.slice(textStart) });
  return inlines;
}

function findInline(source: string, at: number, around: Around, unclosed: Set<string>): Found | undefined {
  const { depth, isLink } = around;
  switch (source[at]) {
    case "\n":
      return { inline: { type: "break" }, end: at + 1 };
    case "\\":
      return findEscaped(source, at);
    case "`":
      return findCode(source, at, unclosed);
    case "*":
      return depth < DEEPEST ? findMarked(source, at, around, unclosed) : undefined;
    case "[":
      return depth < DEEPEST && !isLink ? findLink(source, at, depth) : undefined;
    case "h":
      return isLink || /\w/.test(source[at - 1] ?? "") ? undefined : findBareLink(source, at);
    default:
      return undefined;
  }
}

function findEscaped(source: string, at: number): Found | undefined {
  const mark = source[at + 1] ?? "";
  return MARK.test(mark) ? { inline: { type: "text", text: mark }, end: at + 2 } : undefined;
}

function findCode(source: string, at: number, unclosed: Set<string>): Found | undefined {
  const mark = "`".repeat(countRun(source, at));
  if (unclosed.has(mark)) return undefined;
  for (let end = source.indexOf(mark, at + mark.length); end >= 0; ) {
    const length = countRun(source, end);
    if (length === mark.length) {
      const text = source.slice(at + mark.length, end).replaceAll("\n", " ");
      const isPadded = text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "";
      return { inline: { type: "code", text: isPadded ? text.slice(1, -1) : text }, end: end + length };
    }
    end = source.indexOf(mark, end + length);
  }
  unclosed.add(mark);
  return undefined;
}

function findMarked(source: string, at: number, around: Around, unclosed: Set<string>): Found | undefined {
  const mark = source.startsWith("**", at) ? "**" : "*";
  const start = at + mark.length;
  if (unclosed.has(mark) || !isWord(source[start])) return undefined;
  let end = source.indexOf(mark, start + 1);
  // A mark behind a space opens another one, and one behind a backslash is none: neither closes anything.
  while (end >= 0 && (!isWord(source[end - 1]) || source[end - 1] === "\\")) end = source.indexOf(mark, end + 1);
  if (end < 0) {
    unclosed.add(mark);
    return undefined;
  }
  const content = parseWithin(source.slice(start, end), { ...around, depth: around.depth + 1 });
  return { inline: { type: mark === "**" ? "strong" : "emphasis", content }, end: end + mark.length };
}

function findLink(source: string, at: number, depth: number): Found | undefined {
  LINK.lastIndex = at;
  const match = LINK.exec(source);
  if (match === null) return undefined;
  const [whole, label = "", href = ""] = match;
  if (!isWebAddress(href)) return undefined;
  const content = parseWithin(label, { depth: depth + 1, isLink: true });
  return { inline: { type: "link", href, content }, end: at + whole.length };
}

function findBareLink(source: string, at: number): Found | undefined {
  BARE_LINK.lastIndex = at;
  const href = BARE_LINK.exec(source)?.[0].replace(TRAILING, "");
  if (href === undefined || !isWebAddress(href)) return undefined;
  return { inline: { type: "link", href, content: [{ type: "text", text: href }] }, end: at + href.length };
}

/** Only the web: no script, no file, no other program. */
function isWebAddress(href: string): boolean {
  const url = URL.parse(href);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[^\s*]/.test(char);
}

function countRun(source: string, at: number): number {
  let end = at;
  while (source[end] === "`") end += 1;
  return end - at;
}
