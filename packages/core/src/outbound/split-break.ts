/** Where a text that is too long is broken. Positions are UTF-16 code units; a break at `p` is before the unit at `p`. */
import { type Fence, findFenceAround, findSpanAround, isInBody } from "./split-fence.ts";

/** How good a place is; the best one is taken, the last of equals. */
const RANK = { never: 0, anywhere: 1, early: 2, word: 3, sentence: 4, codeLine: 5, line: 6, paragraph: 7 } as const;
type Rank = (typeof RANK)[keyof typeof RANK];

const NEWLINE = 10;
const RETURN = 13;

/** How far around a break in the middle of a word its grapheme is looked for; the longest emoji have half as many. */
const GRAPHEME_LIMIT_UNITS = 64;

export interface BreakRange {
  /** Where the part begins that the break ends. */
  readonly start: number;
  /** The first and the last place allowed: start < min <= max < source.length. */
  readonly min: number;
  readonly max: number;
}

/** A link of Markdown, which a break in its label would turn into words. One pass. */
const LINK = /\[[^[\]\n]*\]\([^()\s]*\)/g;

/** What a break should leave in one piece. */
export interface Unbroken {
  readonly fences: readonly Fence[];
  readonly links: readonly { readonly start: number; readonly end: number }[];
}

export function findLinks(source: string): Unbroken["links"] {
  if (!source.includes("](")) return [];
  return [...source.matchAll(LINK)].map(({ index, 0: link }) => ({ start: index, end: index + link.length }));
}

/**
 * The best place for a break: after a paragraph, a line, a sentence, a word, else anywhere. One in the first half of
 * the range counts only as better than breaking a word, or a short title would become a part of its own.
 */
export function findBreak(source: string, { fences, links }: Unbroken, range: BreakRange): number {
  const half = range.start + ((range.max - range.start) >> 1);
  let best: Rank = RANK.never;
  let place = isInsidePair(source, range.max) ? range.max - 1 : range.max;
  for (let position = range.max; position >= range.min; position--) {
    if (position < half && best >= RANK.early) break;
    const found = rankAt(source, position, findFenceAround(fences, position));
    const rank = found > RANK.anywhere && findSpanAround(links, position) !== undefined ? RANK.anywhere : found;
    const counted = position < half && rank > RANK.early ? RANK.early : rank;
    if (counted <= best) continue;
    best = counted;
    place = position;
    if (best === RANK.paragraph) break;
  }
  return best > RANK.anywhere ? place : findGraphemeStart(source, range, place);
}

/** Whether `position` is between the two halves of a surrogate pair. */
export function isInsidePair(source: string, position: number): boolean {
  const isHigh = (source.charCodeAt(position - 1) & 0xfc00) === 0xd800;
  return isHigh && (source.charCodeAt(position) & 0xfc00) === 0xdc00;
}

function rankAt(source: string, position: number, fence: Fence | undefined): Rank {
  if (isInsidePair(source, position)) return RANK.never;
  const rank = rankInProse(source, position);
  if (fence === undefined) return rank;
  if (!isInBody(fence, position)) return RANK.never;
  // A break beside a fence line would leave an empty block behind.
  if (position === fence.bodyStart || position === fence.bodyEnd) return RANK.anywhere;
  return rank >= RANK.line ? RANK.codeLine : rank;
}

function rankInProse(source: string, position: number): Rank {
  const before = source.charCodeAt(position - 1);
  const after = source.charCodeAt(position);
  if (before === RETURN && after === NEWLINE) return RANK.never;
  if (before === NEWLINE) {
    const last = source.charCodeAt(position - (source.charCodeAt(position - 2) === RETURN ? 3 : 2));
    return last === NEWLINE || isLineBreak(after) ? RANK.paragraph : RANK.line;
  }
  if (isLineBreak(after)) return RANK.line;
  if (isSpace(before)) return isSentenceEnd(source, position - 2) ? RANK.sentence : RANK.word;
  if (isSpace(after)) return isSentenceEnd(source, position - 1) ? RANK.sentence : RANK.word;
  return "。！？".includes(source.charAt(position - 1)) ? RANK.sentence : RANK.anywhere;
}

function isLineBreak(unit: number): boolean {
  return unit === NEWLINE || unit === RETURN;
}

function isSpace(unit: number): boolean {
  if (unit < 128) return unit === 32 || (unit >= 9 && unit <= 13);
  return /\s/.test(String.fromCharCode(unit));
}

function isSentenceEnd(source: string, index: number): boolean {
  return ".!?…。！？".includes(source.charAt(index) || "-");
}

/** The start of the grapheme that `position` falls into; `position` itself where none nearby begins in the range. */
function findGraphemeStart(source: string, range: BreakRange, position: number): number {
  const isAscii = source.charCodeAt(position - 1) < 128 && source.charCodeAt(position) < 128;
  if (position === range.min || isAscii) return position;
  let from = Math.max(range.start, position - GRAPHEME_LIMIT_UNITS);
  if (isInsidePair(source, from)) from++;
  const nearby = source.slice(from, position + GRAPHEME_LIMIT_UNITS);
  const grapheme = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(nearby).containing(position - from);
  const start = from + (grapheme?.index ?? 0);
  return start > from && start >= range.min ? start : position;
}
