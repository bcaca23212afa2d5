import { renderWhole } from "./render-markdown.ts";
import { measureEntities } from "./rendered-text.ts";

/** "sendMessage", core.telegram.org/bots/api. */
export const TEXT_LIMIT_UNITS = 4096;

/**
 * Returns the length that Telegram counts, "after entities parsing" (sendMessage, core.telegram.org/bots/api): UTF-16
 * code units. A text whose entities do not fit into one message is longer than one, in proportion.
 */
export function measureMarkdown(source: string): number {
  const { text, entities } = renderWhole(source);
  const share = measureEntities(entities);
  return share > 1 ? Math.max(text.length, Math.ceil(TEXT_LIMIT_UNITS * share)) : text.length;
}
