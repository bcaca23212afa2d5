import { stripVTControlCharacters } from "node:util";
import { measureWidth } from "@banyan/core";

/** Narrower than this nothing can be read. */
const MIN_COLUMNS = 20;

/**
 * Breaks a text into lines of at most so many columns, at spaces. A word that is longer stays whole, so that an address
 * can be copied. Lines that fit stay as they are, indentation included. Styles take no column; they end within a word.
 */
export function wrapText(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => (measureShown(line) <= columns ? [line] : wrapLine(line, columns)));
}

/**
 * Breaks a line of a screen, its continuation below the column where its text begins. `columns` absent: no terminal, and
 * nothing is broken.
 */
export function wrapHanging(line: string, indent: number, columns: number | undefined): readonly string[] {
  if (columns === undefined || measureShown(line) <= columns) return [line];
  const [first = "", ...rest] = wrapText(line.slice(indent), Math.max(MIN_COLUMNS, columns - indent));
  return [line.slice(0, indent) + first, ...rest.map((each) => " ".repeat(indent) + each)];
}

function measureShown(text: string): number {
  return measureWidth(stripVTControlCharacters(text));
}

function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const piece of line.match(/\s*\S+/g) ?? []) {
    const isFirst = current.trim() === "";
    if (isFirst || measureShown(current + piece) <= columns) {
      current += piece;
      continue;
    }
    lines.push(current);
    current = piece.trimStart();
  }
  return [...lines, current];
}
