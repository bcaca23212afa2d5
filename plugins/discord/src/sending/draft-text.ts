/** What a growing answer looks like: its beginning, with a mark that more comes. */

/** Discord documentation, "Create Message". */
const CONTENT_LIMIT = 2_000;
/** Stands at the end of each draft and of no answer. */
const MARK = " ▍";
const FENCE = /^ {0,3}(?:```|~~~)/gm;

/** `source` is Markdown that may end anywhere; `render` gives what is sent. Never longer than a message may be. */
export function formatDraft(source: string, render: (source: string) => string): string {
  const head = cut(source, CONTENT_LIMIT - 100);
  const isOpen = (head.match(FENCE)?.length ?? 0) % 2 === 1;
  const shown = cut(render(isOpen ? `${head}\n\`\`\`` : head), CONTENT_LIMIT - MARK.length);
  return `${shown}${isOpen ? "\n" : ""}${MARK}`.trimStart();
}

export function isDraftText(content: string): boolean {
  return content.endsWith(MARK.trim());
}

/** At most so many UTF-16 units, none of them half a character. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
