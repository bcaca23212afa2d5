import { stripVTControlCharacters } from "node:util";

/** Control characters besides line feed and tab, and those that turn the writing direction around. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text from outside as it may be shown: on a terminal it can neither move the cursor nor recolour or hide anything. */
export function formatPlainText(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replace(CONTROLS, "");
}

/** The same on one line. */
export function formatPlainLine(text: string): string {
  return formatPlainText(text).replace(/\s+/g, " ").trim();
}

/** Escapes one line for Markdown, so that it is shown as it is. */
export function escapeName(line: string): string {
  return line.replaceAll(/[\\`*_[\]<>~|#&]/g, "\\$&");
}
