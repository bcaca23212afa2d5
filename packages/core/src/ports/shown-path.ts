/** Characters that could break a line, hide, or turn the reading direction of what follows. */
const UNUSUAL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A file's name is written by whoever made the file: unusual ones stand as JSON strings, so that a line stays a line. */
export function formatShownPath(path: string): string {
  if (!path.startsWith('"') && path.search(UNUSUAL) === -1) return path;
  return JSON.stringify(path).replace(UNUSUAL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
