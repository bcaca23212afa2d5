/** Text without any Markdown, which most chat messages are: nothing to parse. */

/**
 * Whether Markdown would show `source` as it is, save for empty lines around it. May say no to a text without markup
 * (one with an ampersand, say), never yes to one with. One pass, no tree: it is asked for every message.
 */
export function isPlainText(source: string): boolean {
  return !/[\\`*_[<&|\r\t\0\ufeff]|~~|(?:^|\n)(?: |[#>+:-]|\d{1,9}[.)])| \n|\n\n\n/.test(source);
}
