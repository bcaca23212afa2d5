/** Controls, separators of lines and paragraphs, and what turns the direction of a text or cannot be seen. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text as one line of what can be seen, so that no title can break out of the line it stands in. */
export function formatSingleLine(text: string): string {
  return text.replace(/\s/gu, " ").replace(UNSEEN, "").replace(/ {2,}/g, " ").trim();
}
