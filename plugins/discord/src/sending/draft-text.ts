/** What a growing answer looks like: its beginning, with a mark that more comes. */
import { cutGrowingMarkdown, cutText } from "@banyan/plugin-sdk/kit";

/** Discord documentation, "Create Message". */
const CONTENT_LIMIT = 2_000;
/** Stands at the end of each draft and of no answer. */
const MARK = " ▍";

/** `source` is Markdown that may end anywhere; `render` gives what is sent. Never longer than a message may be. */
export function formatDraft(source: string, render: (source: string) => string): string {
  const { markdown, isInFence } = cutGrowingMarkdown(source, CONTENT_LIMIT - 100);
  const shown = cutText(render(markdown), CONTENT_LIMIT - MARK.length);
  return `${shown}${isInFence ? "\n" : ""}${MARK}`.trimStart();
}

export function isDraftText(content: string): boolean {
  return content.endsWith(MARK.trim());
}
