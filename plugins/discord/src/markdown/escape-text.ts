/**
 * Words that Discord shows as they are. A backslash takes its meaning from any mark behind it, and stays visible before a
 * letter, a digit or a space ("Markdown Text 101", support.discord.com). As little as possible is escaped: the text is also
 * what a search, a notification and a copy show.
 */

/**
 * Replaces a `<` that the author has escaped, from reading to writing: mentions, emoji and times begin with it, so it
 * must stay escaped. A noncharacter, which no text contains.
 */
const ESCAPED_LESS = "\ufdd0";

/** Shown whole: in an address a backslash would be a part of it, and in an emoji it would break it. */
const UNTOUCHED = /https?:\/\/[^\s<\ufdd0]+[^\s<\ufdd0.,:;"'\]]|<a?:\w{1,64}:\d{1,20}>/g;
/** What begins a mention, an emoji, a time or a command after its `<`. */
const REFERENCE = /^([a-z]{0,2})([@#:/])/;

/**
 * Backslashes that would take a meaning away; `*` but where it stands alone; `_` but between two letters of the alphabet,
 * which alone Discord takes for letters there; `~~`, `||` and every backtick; what turns brackets into a link; and what lights
 * up as a call of everybody.
 */
const MARK =
  /\\(?![0-9A-Za-z\s])|(?<!\s)\*|\*(?!\s)|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|(?<=~)~|~(?=~|$)|^~|(?<=\|)\||\|(?=\||$)|^\||`|(?<=\])\(|@(?=everyone|here)/g;

/** Marks that mean something at the start of a line alone: titles, small print, lists and quotes. */
const LINE_MARK = /^([ \t]*)(?:(#{1,3}|-#|[-*]|>|>>>)(?=[ \t]|$)|(\d{1,20})(?=\.(?:[ \t]|$)))/;

/** Inside a word, where it means nothing but for another one that ends a word and cannot be escaped. */
const INNER_LINE = /(?<=[0-9A-Za-z])_(?=[0-9A-Za-z])/g;
const ENDS_EMPHASIS = /_(?![0-9A-Za-z])/;

/** A piece of text inside a line. */
export function escapeText(text: string): string {
  const untouched = [...text.matchAll(UNTOUCHED)].map(({ index, 0: whole }) => ({ index, whole }));
  const escapeRest = untouched.some(({ whole }) => ENDS_EMPHASIS.test(whole)) ? escapeAllMarks : escapeMarks;
  let out = "";
  let at = 0;
  for (const { index, whole } of untouched) {
    out += escapeRest(text.slice(at, index)) + whole;
    at = index + whole.length;
  }
  return out + escapeRest(text.slice(at));
}

/** Escapes a name from outside so that nothing in it is markup, a link, a mention or an emoji. */
export function escapeName(name: string): string {
  return restoreEscapedLess(escapeText(name.replaceAll(ESCAPED_LESS, "\ufffd").replaceAll("<", ESCAPED_LESS)));
}

/** Hides each escaped `<` of a Markdown source from the parser. */
export function hideEscapedLess(source: string): string {
  if (!source.includes("\\<")) return source;
  return source
    .replaceAll(ESCAPED_LESS, "\ufffd")
    .replaceAll(/\\[\\<]/g, (pair) => (pair === "\\<" ? ESCAPED_LESS : pair));
}

/** Shows it as the source has it: in code, where a backslash is a character. */
export function showEscapedLess(code: string): string {
  return code.replaceAll(ESCAPED_LESS, "\\<");
}

/** Shows the character alone: in addresses, and in text without markup. */
export function unescapeLess(text: string): string {
  return text.replaceAll(ESCAPED_LESS, "<");
}

/** Escapes it for Discord. In an address that ends there, a backslash would be a part of it. */
export function restoreEscapedLess(text: string): string {
  const [first = "", ...pieces] = text.split(ESCAPED_LESS);
  let before = first;
  let out = first;
  for (const piece of pieces) {
    out += endsInAddress(before) ? `<${piece.replace(REFERENCE, "$1\\$2")}` : `\\<${piece}`;
    before = piece;
  }
  return out;
}

function endsInAddress(text: string): boolean {
  const last = text.slice(Math.max(...[" ", "\t", "\n"].map((space) => text.lastIndexOf(space))) + 1);
  return /https?:\/\//.test(last);
}

/** A whole line as it will stand in the message, markup and all. */
export function escapeLineStart(line: string): string {
  return line.replace(LINE_MARK, (_, indent: string, mark?: string, number?: string) =>
    number === undefined ? `${indent}\\${mark}` : `${indent}${number}\\`,
  );
}

function escapeMarks(text: string): string {
  return text.replaceAll(MARK, "\\$&");
}

function escapeAllMarks(text: string): string {
  return escapeMarks(text).replaceAll(INNER_LINE, "\\_");
}
