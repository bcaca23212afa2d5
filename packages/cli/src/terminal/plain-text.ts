import { stripVTControlCharacters } from "node:util";

/** Control characters besides line feed and tab, and those that turn the writing direction around. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text from outside as a terminal may show it: it can neither move the cursor nor recolour or hide anything. */
export function formatPlainText(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replace(CONTROLS, "");
}

/** The same on one line. */
export function formatPlainLine(text: string): string {
  return formatPlainText(text).replace(/\s+/g, " ").trim();
}

/** At most so many characters, the last one an ellipsis where something was left out. */
export function shortenText(text: string, limitChars: number): string {
  const characters = [...text];
  return characters.length <= limitChars ? text : `${characters.slice(0, limitChars - 1).join("")}…`;
}

/** An id as a listing shortened it and somebody pasted it. */
export function cutEllipsis(id: string): string {
  return id.trim().replace(/…$/, "");
}
