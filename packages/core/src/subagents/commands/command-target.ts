import { splitLine } from "./command-line.ts";

/** A target that is all of a line: `words 1/3` as well as `"words 1/3"`. */
export function unquoteTarget(line: string): string {
  const split = splitLine(line);
  const [word, ...more] = split.kind === "words" ? split.words : [];
  return word?.isQuoted && more.length === 0 ? word.text : line.trim();
}

const TARGET_FIRST = /^(?:"([^"]*)"|'([^']*)'|“([^”]*)”|„([^“]*)“|(\S+))(?:\s+|$)/;

/** A target that others words stand behind: its first word, or what is in quotes. The rest stays as it was written. */
export function takeTarget(line: string): { readonly target: string; readonly text: string } {
  const from = line.trim();
  const found = TARGET_FIRST.exec(from) ?? /^(\S*)\s*/.exec(from);
  const target = found?.slice(1).find((part) => part !== undefined) ?? "";
  return { target: target.trim(), text: from.slice(found?.[0].length ?? 0).trim() };
}
