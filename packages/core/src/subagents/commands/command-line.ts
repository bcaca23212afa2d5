/** A line as a shell would take it apart: quotes hold words together, a backslash keeps the next character. */
export type SplitLine =
  | { readonly kind: "words"; readonly words: readonly Word[] }
  | { readonly kind: "invalid"; readonly problem: string };

export interface Word {
  readonly text: string;
  /** It began with a quote: never an option. */
  readonly isQuoted: boolean;
  /** Where it begins in the line. */
  readonly start: number;
}

export function splitLine(line: string): SplitLine {
  const words: Word[] = [];
  for (let at = 0; at < line.length; ) {
    if (/\s/.test(line.charAt(at))) at += 1;
    else {
      const read = readWord(line, at);
      if (read === undefined) {
        return {
          kind: "invalid",
          problem: `A quote (${line.charAt(findQuote(line, at))}) is not closed; close it, or write \\ before it.`,
        };
      }
      words.push(read.word);
      at = read.end;
    }
  }
  return { kind: "words", words };
}

/** A quote opens at the beginning of a word only: people write "don't". */
function readWord(line: string, start: number): { readonly word: Word; readonly end: number } | undefined {
  let text = "";
  let at = start;
  while (at < line.length && !/\s/.test(line.charAt(at))) {
    const char = line.charAt(at);
    if (char === "\\" && at + 1 < line.length) {
      text += line.charAt(at + 1);
      at += 2;
    } else if (at === start && isQuote(char)) {
      const end = findEnd(line, at, char);
      if (end === undefined) return undefined;
      text += line.slice(at + 1, end).replaceAll(/\\(["'\\])/g, "$1");
      at = end + 1;
    } else {
      text += char;
      at += 1;
    }
  }
  return { word: { text, isQuoted: isQuote(line.charAt(start)), start }, end: at };
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'" || char === "“" || char === "„";
}

const CLOSING: Readonly<Record<string, string>> = { "“": "”", "„": "“" };

function findEnd(line: string, open: number, quote: string): number | undefined {
  const closing = CLOSING[quote] ?? quote;
  for (let at = open + 1; at < line.length; at += 1) {
    if (line.charAt(at) === "\\") at += 1;
    else if (line.charAt(at) === closing) return at;
  }
  return undefined;
}

function findQuote(line: string, from: number): number {
  const found = [...line].findIndex((char, at) => at >= from && isQuote(char));
  return found === -1 ? from : found;
}
