/** Parses a command line without a shell: only words and quotes. Pure, one pass. */

export type ParsedCommandLine =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** A sentence the agent can act on. */
  | { readonly kind: "invalid"; readonly problem: string };

const SHELL_SIGNS: ReadonlySet<string> = new Set([";", "|", "&", "<", ">", "(", ")", "`", "\n", "\r"]);
const GLOB_SIGNS: ReadonlySet<string> = new Set(["*", "?", "["]);
const NO_SHELL =
  "there is no shell: one program, its arguments, quotes. Call the tool once for each program, or give argv.";

/**
 * Reads the words of a command line. Single quotes take every character, double quotes all but `$` and a backquote, a
 * backslash the next one. What a shell would interpret is refused, never passed on as plain text.
 */
export function parseCommandLine(text: string): ParsedCommandLine {
  const reading: Reading = { words: [], word: undefined };
  for (let at = 0; at < text.length; ) {
    const step = readNext(text, at, reading);
    if (typeof step === "string") return { kind: "invalid", problem: step };
    at += step;
  }
  endWord(reading);
  if (reading.words.length === 0) return { kind: "invalid", problem: "the command is empty; name a program." };
  return { kind: "words", words: reading.words };
}

interface Reading {
  readonly words: string[];
  /** The word that is being read; `undefined` between two words. */
  word: string | undefined;
}

/** Returns how many characters were read, or what is wrong. */
function readNext(text: string, at: number, reading: Reading): number | string {
  const sign = text.charAt(at);
  if (sign === "'") return readQuoted(text, at, reading);
  if (sign === '"') return readDoubleQuoted(text, at, reading);
  if (sign === "\\") {
    if (at + 1 >= text.length) return "the command ends with a backslash; leave it out.";
    reading.word = (reading.word ?? "") + text.charAt(at + 1);
    return 2;
  }
  if (sign === " " || sign === "\t") {
    endWord(reading);
    return 1;
  }
  if (SHELL_SIGNS.has(sign)) return `${JSON.stringify(sign)} is a shell's sign, and ${NO_SHELL}`;
  if (sign === "$") return `"$" is a shell's sign, and ${NO_SHELL}`;
  if (GLOB_SIGNS.has(sign))
    return `${JSON.stringify(sign)} is not expanded here: name the files, or put it into quotes.`;
  if (reading.word === undefined && (sign === "#" || sign === "~"))
    return `${JSON.stringify(sign)} at the beginning of a word is a shell's sign; put it into quotes, or leave it out.`;
  reading.word = (reading.word ?? "") + sign;
  return 1;
}

function readQuoted(text: string, at: number, reading: Reading): number | string {
  const end = text.indexOf("'", at + 1);
  if (end < 0) return "a single quote is not closed; close it.";
  reading.word = (reading.word ?? "") + text.slice(at + 1, end);
  return end - at + 1;
}

function readDoubleQuoted(text: string, at: number, reading: Reading): number | string {
  let word = reading.word ?? "";
  for (let next = at + 1; next < text.length; next += 1) {
    const sign = text.charAt(next);
    if (sign === '"') {
      reading.word = word;
      return next - at + 1;
    }
    if (sign === "$" || sign === "`")
      return `${JSON.stringify(sign)} is a shell's sign in double quotes; use single ones.`;
    const isEscape = sign === "\\" && ['"', "\\"].includes(text.charAt(next + 1));
    if (isEscape) next += 1;
    word += isEscape ? text.charAt(next) : sign;
  }
  return "a double quote is not closed; close it.";
}

function endWord(reading: Reading): void {
  if (reading.word !== undefined) reading.words.push(reading.word);
  reading.word = undefined;
}
