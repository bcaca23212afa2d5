/** Longer paths do not fit a line of the answer; it also keeps the patterns that read them cheap. */
export const PATH_LIMIT_CHARS = 1000;

const QUOTED = /^(["'`])(.*)\1$/su;
/** One word, or several in quotes. */
const WORDS = /"[^"]*"|'[^']*'|`[^`]*`|\S+/gu;

/** A path without quotes and without slashes at its end; none is the whole workspace. */
export function parsePathArgument(text: string): string {
  const unquoted = text.replace(QUOTED, "$2");
  const path = unquoted.startsWith("/") ? unquoted : unquoted.replace(/\/+$/u, "");
  return path === "" ? "." : path;
}

/** As `parsePathArgument` reads it back, whatever signs are in it. */
export function formatPathArgument(path: string): string {
  return /^[\w./-]+$/u.test(path) ? path : `"${path}"`;
}

/** The words of a sentence; what stands in quotes is one. */
export function splitWords(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}
