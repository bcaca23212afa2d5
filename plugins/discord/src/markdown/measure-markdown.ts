import { renderMarkdown } from "./render-markdown.ts";

/**
 * The length of what is sent for a text, markup and all: Discord's limit is on the content as it comes ("Create Message",
 * docs.discord.com/developers/resources/message). It counts characters, of which UTF-16 code units are never fewer.
 */
export function measureMarkdown(source: string): number {
  return renderMarkdown(source).length;
}
