import { renderMarkdown } from "./render-markdown.ts";

/** The length that Telegram counts, "after entities parsing" (sendMessage, core.telegram.org/bots/api): UTF-16 code units. */
export function measureMarkdown(source: string): number {
  return renderMarkdown(source).text.length;
}
