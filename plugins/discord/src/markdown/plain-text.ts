/** Text without any Markdown, which most chat messages are: nothing to parse. */

/**
 * Whether both Markdown and Discord would show `source` as it is, save for empty lines around it. May say no to a text
 * without markup (one with an ampersand, say), never yes to one with. One pass, no tree: it is asked for every message.
 */
export function isPlainText(source: string): boolean {
  return !/[\\`*[<&|\r\t\0\ufeff]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|~~|(?:^|\n)(?: |[#>+:-]|\d{1,9}[.)])| \n|\n\n\n|@(?:everyone|here)/.test(
    source,
  );
}
