/** What a growing answer looks like: its beginning, with a mark that more comes. */
import { cutGrowingMarkdown } from "@banyan/plugin-sdk/kit";
import { TEXT_LIMIT_UNITS } from "../markdown/measure-markdown.ts";
import { type RenderedMarkdown, renderMarkdown } from "../markdown/render-markdown.ts";

/** Stands at the end of each growing message and of no answer. Alone it is one that has no words yet. */
export const GROWING_MARK = "▍";

/** Rendering adds little: signs of lists, addresses of links. */
const SOURCE_LIMIT_CHARS = 3_600;

/** `source` is Markdown that may end anywhere. Never longer than a message may be. */
export function renderGrowing(source: string): RenderedMarkdown {
  const { markdown, isInFence } = cutGrowingMarkdown(source, SOURCE_LIMIT_CHARS);
  const { text, entities } = renderMarkdown(markdown);
  const mark = isInFence ? `\n${GROWING_MARK}` : ` ${GROWING_MARK}`;
  const isFitting = text.length + mark.length <= TEXT_LIMIT_UNITS;
  return isFitting ? { text: `${text}${mark}`, entities } : { text: `${markdown}${mark}`, entities: [] };
}
