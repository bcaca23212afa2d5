/** The form that agent ids, account ids and the names of linked persons share: safe in keys, paths and shells. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Longer names would not fit a file name beside the key that holds them. */
const LIMIT_CHARS = 64;

/** Whether a text is a plain name as it stands. */
export function isPlainName(text: string): boolean {
  return PLAIN_NAME.test(text);
}

/**
 * Folds free text to a plain name: trimmed and lower-cased; a plain name stands; else each run of other characters
 * becomes one `-`, leading `-` and `_` are cut, 64 characters kept, trailing `-` cut.
 * `undefined` means that nothing representable is left.
 */
export function foldToPlainName(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  if (isPlainName(lower)) return lower;
  const folded = lower
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, LIMIT_CHARS);
  const name = cutTrailingDashes(folded);
  return name === "" ? undefined : name;
}

function cutTrailingDashes(text: string): string {
  return text.replace(/-+$/, "");
}
