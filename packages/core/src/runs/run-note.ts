import type { Completion } from "@banyan/plugin-sdk";
import { formatPlainLine } from "../ports/plain-text.ts";

/** Longer ones are cut to the width of what shows them anyway. */
const NOTE_LIMIT_CHARS = 500;
/** A line of markup alone says nothing. */
const SAYS_SOMETHING = /[^\s`*_~=|#>-]/u;

/** What an ended run has to say, in one line: how it failed, else the last line of its result. */
export function buildRunNote({ error, result }: Pick<Completion, "error" | "result">): string {
  if (error === undefined) return findLastLine(result);
  const [line = ""] = error.trim().split("\n", 1);
  return shorten(line);
}

/** The last line that says something, whatever the text holds: shown without control characters. */
export function findLastLine(text: string): string {
  for (let end = text.length; end > 0; ) {
    const begin = text.lastIndexOf("\n", end - 1) + 1;
    const line = shorten(text.slice(begin, end));
    if (SAYS_SOMETHING.test(line)) return line;
    end = begin - 1;
  }
  return "";
}

function shorten(line: string): string {
  const text = line.trimStart();
  return formatPlainLine(text.length <= NOTE_LIMIT_CHARS ? text : text.slice(0, NOTE_LIMIT_CHARS).toWellFormed());
}
