import type { MessageEntity } from "grammy/types";
import { TEXT_LIMIT_UNITS } from "../markdown/measure-markdown.ts";
import type { RenderedMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";

/** The text of one call, with its markup if it has any. */
export interface MarkedText {
  readonly text: string;
  readonly entities?: MessageEntity[];
}

/** What happens if the text without markup, in which links show their addresses, does not fit into one message. */
type Overflow =
  /** It goes out in several messages. */
  | "continue"
  /** The refusal of the markup stands. */
  | "refuse"
  /** Links are their words alone: for previews. */
  | "shorten";

export interface MarkedTextOptions {
  readonly overflow: Overflow;
  /** Of the first call: a caption holds less than a message, in which it goes on. */
  readonly limitUnits?: number;
}

/** The place of a text among those that are written for one. */
export interface TextPlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const ALONE: TextPlace = { isFirst: true, isLast: true };

/**
 * Writes a text with its markup, and once more without if Telegram refuses the markup: links then show their addresses.
 * Resolves with what the last call gave. Rejects with what the call threw; after a part was written, with an error of
 * unknown outcome.
 */
export async function writeMarked<Written>(
  { text, entities, flat = text }: RenderedMarkdown,
  write: (marked: MarkedText, place: TextPlace) => Promise<Written>,
  { overflow, limitUnits = TEXT_LIMIT_UNITS }: MarkedTextOptions,
): Promise<Written> {
  if (entities.length === 0) return write({ text }, ALONE);
  try {
    return await write({ text, entities }, ALONE);
  } catch (error) {
    // Refused for its markup, so nothing was written and the text without is still the first.
    if (classifyTelegramError(error).class !== "bad_markup") throw error;
    if (flat.length <= limitUnits) return write({ text: flat }, ALONE);
    if (overflow === "refuse") throw error;
    return overflow === "shorten" ? write({ text }, ALONE) : writePieces(cutText(flat, limitUnits), write);
  }
}

async function writePieces<Written>(
  [first = "", ...others]: readonly string[],
  write: (marked: MarkedText, place: TextPlace) => Promise<Written>,
): Promise<Written> {
  let written = await write({ text: first }, { isFirst: true, isLast: others.length === 0 });
  try {
    for (const [at, text] of others.entries())
      written = await write({ text }, { isFirst: false, isLast: at === others.length - 1 });
    return written;
  } catch (cause) {
    // The text is in the chat in part, so no refusal of this call means that nothing was sent.
    throw new Error(`only the beginning was sent: the next message ${classifyTelegramError(cause).what}`, { cause });
  }
}

/** Cuts at the end of a line, else at a blank; no piece is blank. All but the first may be as long as a message. */
function cutText(text: string, firstLimitUnits: number): readonly string[] {
  const pieces: string[] = [];
  for (let rest = text.trim(); rest !== ""; ) {
    const limitUnits = pieces.length === 0 ? firstLimitUnits : TEXT_LIMIT_UNITS;
    const end = rest.length <= limitUnits ? rest.length : findCut(rest, limitUnits);
    pieces.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}

function findCut(text: string, limitUnits: number): number {
  const line = text.lastIndexOf("\n", limitUnits);
  if (line >= limitUnits / 2) return line;
  const blank = text.lastIndexOf(" ", limitUnits);
  if (blank >= limitUnits / 2) return blank;
  const last = text.charCodeAt(limitUnits - 1);
  return last >= 0xd800 && last <= 0xdbff ? limitUnits - 1 : limitUnits;
}
