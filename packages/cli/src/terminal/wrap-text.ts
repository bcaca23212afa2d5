import { stripVTControlCharacters } from "node:util";
import { measureWidth } from "@banyan/core";

/**
 * Breaks a text into lines of at most so many columns, at spaces. A word that is longer stays whole, so that an address
 * can be copied. Lines that fit stay as they are, indentation included. Styles take no column; they end within a word.
 */
export function wrapText(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => (measureShown(line) <= columns ? [line] : wrapLine(line, columns)));
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
