import type { MessageEntity } from "grammy/types";
import type { RenderedMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";

/** To be spread into a call's parameters. */
export interface TextMarkup {
  readonly entities?: MessageEntity[];
}

/** Writes a text with its markup, and once more without where Telegram cannot read it. Rejects with what the call threw. */
export async function writeMarked<Written>(
  { entities }: RenderedMarkdown,
  write: (markup: TextMarkup) => Promise<Written>,
): Promise<Written> {
  if (entities.length === 0) return write({});
  try {
    return await write({ entities });
  } catch (error) {
    // Refused for its markup, so nothing was written and the plain text is still the first.
    if (classifyTelegramError(error).class !== "bad_markup") throw error;
    return write({});
  }
}
