/** Cuts a text into the parts that a platform takes. Pure. */

const DEFAULT_RESERVE_UNITS = 32;

/** The longest slice that is measured, in budgets: markup may shrink that much when it is rendered. */
const REACH_BUDGETS = 4;

/** A part that could fill this much of its budget is long enough; closer would cost more measuring. */
const FULL_ENOUGH = 0.8;

/** Aims a little low after a wrong guess, for the next stretch may be denser than the measured one. */
const AIM = 0.97;

/** How often a guess is corrected in proportion before it is simply halved (too long) or taken (too short). */
const GUESS_LIMIT = 3;

export interface SplitLimit {
  /** What the platform takes in one message, in units of `measure`. */
  readonly limit: number;
  /**
   * The size of a text as the platform counts it, for instance after rendering. Called a few times per part, with text
   * of at most four limits or so. Should grow with its text; if it does not, parts still advance but may be too long.
   */
  readonly measure: (source: string) => number;
  /** Kept free in every part for a mark that is put before it later. Default 32. At least one unit stays for text. */
  readonly reserveUnits?: number;
  /** Whether the text is Markdown, so that code fences are closed and reopened at a break, and links are kept whole. */
  readonly markdown?: boolean;
}

/** A range of the source, in UTF-16 code units. What is sent is `prefix + source.slice(start, end) + suffix`. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
  /** Reopens the code fence that the part before closed; else empty. */
  readonly prefix: string;
  /** Closes the code fence that is open at the end; else empty. */
  readonly suffix: string;
}

interface SplitJob extends Unbroken {
  readonly source: string;
  /** Where the whitespace at the end of the source begins. */
  readonly textEnd: number;
  readonly budget: number;
  readonly measure: (source: string) => number;
}

/**
 * Splits `source` into parts, in order: each as it is sent within the limit less its reserve, none only whitespace, none
 * beginning or ending inside a surrogate pair. The ranges join to the source exactly, except that a run of whitespace that
 * fits into no part together with some text is left out. `[]` for a source that is empty or only whitespace. Throws only if
 * `measure` does. Takes time in proportion to the source.
 */
export function splitText(source: string, limit: SplitLimit): TextPart[] {
  const budget = Math.max(1, Math.floor(limit.limit - (limit.reserveUnits ?? DEFAULT_RESERVE_UNITS)));
  const fences = limit.markdown === true ? findFences(source, budget / 2) : [];
  const links = limit.markdown === true ? findLinks(source) : [];
  const job = { source, textEnd: source.trimEnd().length, fences, links, budget, measure: limit.measure };
  const parts: TextPart[] = [];
  let density = 1;
  for (let start = 0; start < job.textEnd; ) {
    const fitted = fitPart(job, start, density);
    parts.push(fitted.part);
    start = fitted.part.end;
    density = fitted.density;
  }
  return parts;
}

interface FittedPart {
  readonly part: TextPart;
  /** Measured units per UTF-16 unit, the first guess for the next part. */
  readonly density: number;
}

function fitPart(job: SplitJob, start: number, guess: number): FittedPart {
  const textStart = findText(job.source, start);
  const smallest = textStart + codePointUnits(job.source, textStart);
  const furthest = Math.min(job.source.length, start + REACH_BUDGETS * job.budget);
  if (smallest > furthest && textStart > start) return fitPart(job, textStart, guess);
  const within = (reach: number): number => (reach > smallest ? Math.min(reach, furthest) : smallest);

  let best: FittedPart | undefined;
  let reach = within(start + Math.floor(job.budget / guess));
  for (let guesses = 1; ; guesses++) {
    const part = buildPart(job, start, findEnd(job, start, smallest, reach));
    const units = job.measure(textAsSent(job.source, part));
    const density = units / (part.end - start);
    const aim = start + Math.floor((job.budget / density) * AIM);
    if (units <= job.budget) {
      best = { part, density };
      const isFull = reach >= furthest || density * (reach - start) >= FULL_ENOUGH * job.budget;
      if (isFull || within(aim) <= reach || guesses > GUESS_LIMIT) return best;
      reach = within(aim);
    } else {
      if (best !== undefined) return best;
      if (reach <= smallest) return textStart > start ? fitPart(job, textStart, guess) : forcePart(job, part, density);
      reach = within(guesses <= GUESS_LIMIT ? Math.min(aim, reach - 1) : start + ((reach - start) >> 1));
    }
  }
}

/** One code point that is too long in itself: without fence marks if that helps, for the text must advance. */
function forcePart(job: SplitJob, part: TextPart, density: number): FittedPart {
  const bare = { ...part, prefix: "", suffix: "" };
  return { part: job.measure(textAsSent(job.source, bare)) <= job.budget ? bare : part, density };
}

/** Where a part ends that may reach to `reach`: some text is left for the next part, or nothing at all. */
function findEnd(job: SplitJob, start: number, smallest: number, reach: number): number {
  if (reach >= job.source.length) return job.source.length;
  const lastBreak = job.textEnd - (isInsidePair(job.source, job.textEnd - 1) ? 2 : 1);
  if (lastBreak < smallest) return reach;
  return findBreak(job.source, job, { start, min: smallest, max: Math.min(reach, lastBreak) });
}

function buildPart(job: SplitJob, start: number, end: number): TextPart {
  const opened = findFenceAround(job.fences, start);
  const left = findFenceAround(job.fences, end);
  const prefix = opened !== undefined && isInBody(opened, start) ? opened.prefix : "";
  const lineBreak = job.source.charAt(end - 1) === "\n" ? "" : "\n";
  const suffix = left !== undefined && isInBody(left, end) ? lineBreak + left.closer : "";
  return { start, end, prefix, suffix };
}

function textAsSent(source: string, part: TextPart): string {
  return part.prefix + source.slice(part.start, part.end) + part.suffix;
}

function findText(source: string, start: number): number {
  const text = /\S/g;
  text.lastIndex = start;
  return text.exec(source)?.index ?? source.length;
}

function codePointUnits(source: string, position: number): number {
  return (source.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * How good a place for a break is. The best one is taken, the last of equals. Positions are UTF-16 code units, and a break at
 * `p` is before the unit at `p`.
 */
const RANK = { never: 0, anywhere: 1, early: 2, word: 3, sentence: 4, codeLine: 5, line: 6, paragraph: 7 } as const;
type Rank = (typeof RANK)[keyof typeof RANK];

const NEWLINE = 10;
const RETURN = 13;

/** How far around a break in the middle of a word its grapheme is searched. The longest emoji have half as many. */
const GRAPHEME_LIMIT_UNITS = 64;

interface BreakRange {
  /** Where the part begins that the break ends. */
  readonly start: number;
  /** The first and the last place allowed: start < min <= max < source.length. */
  readonly min: number;
  readonly max: number;
}

/** A link of Markdown, which a break in its label would turn into words. One pass. */
const LINK = /\[[^[\]\n]*\]\([^()\s]*\)/g;

/** What a break should leave in one piece. */
interface Unbroken {
  readonly fences: readonly Fence[];
  readonly links: readonly { readonly start: number; readonly end: number }[];
}

function findLinks(source: string): Unbroken["links"] {
  if (!source.includes("](")) return [];
  return [...source.matchAll(LINK)].map(({ index, 0: link }) => ({ start: index, end: index + link.length }));
}

/**
 * The best place for a break: after a paragraph, a line, a sentence, a word, else anywhere. One in the first half of
 * the range counts only as better than breaking a word, or a short title would become a separate part.
 */
function findBreak(source: string, { fences, links }: Unbroken, range: BreakRange): number {
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
function isInsidePair(source: string, position: number): boolean {
  const isHigh = (source.charCodeAt(position - 1) & 0xfc00) === 0xd800;
  return isHigh && (source.charCodeAt(position) & 0xfc00) === 0xdc00;
}

function rankAt(source: string, position: number, fence: Fence | undefined): Rank {
  if (isInsidePair(source, position)) return RANK.never;
  const rank = rankInProse(source, position);
  if (fence === undefined) return rank;
  if (!isInBody(fence, position)) return RANK.never;
  // A break next to a fence line would leave an empty block.
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

/** Code fences of a Markdown text, found once so that a break inside one can close and reopen it. */

/** Positions are UTF-16 code units of the source. A break may fall from `bodyStart` to `bodyEnd`, never inside a fence line. */
export interface Fence {
  /** Start of the opening line. */
  readonly start: number;
  /** Start of the line below the opening line. */
  readonly bodyStart: number;
  /** Start of the closing line, the end of the source when there is none. */
  readonly bodyEnd: number;
  /** End of the closing line without its line break; `Infinity` when nothing closes the fence. */
  readonly end: number;
  /** Reopens the fence: its opening line, with a list marker before it turned into spaces, and a line break. */
  readonly prefix: string;
  /** Closes the fence, without the line break before it. */
  readonly closer: string;
}

interface OpenFence {
  readonly start: number;
  readonly bodyStart: number;
  readonly indent: string;
  readonly marker: string;
  readonly info: string;
}

/** How much further than its opening line a closing line may be indented (CommonMark, "Fenced code blocks"). */
const CLOSER_INDENT_UNITS = 3;

/**
 * The fences of `source` in order. One whose prefix and suffix together are longer than `marksLimit` is left out: there
 * would be no room for code next to them. Fences in a block quote are not found: their lines need the quote's mark anyway.
 */
export function findFences(source: string, marksLimit: number): Fence[] {
  const fences: Fence[] = [];
  if (!source.includes("```") && !source.includes("~~~")) return fences;
  const close = (open: OpenFence, bodyEnd: number, end: number): void => {
    const prefix = `${open.indent}${open.marker}${open.info}\n`;
    const closer = open.indent + open.marker;
    if (prefix.length + closer.length + 1 > marksLimit) return;
    fences.push({ start: open.start, bodyStart: open.bodyStart, bodyEnd, end, prefix, closer });
  };
  let open: OpenFence | undefined;
  for (let lineStart = 0; lineStart < source.length; ) {
    const newline = source.indexOf("\n", lineStart);
    const next = newline === -1 ? source.length : newline + 1;
    if (open === undefined) {
      open = findOpening(source, lineStart, next);
    } else {
      const end = findClosing(source, lineStart, open);
      if (end !== undefined) {
        close(open, lineStart, end);
        open = undefined;
      }
    }
    lineStart = next;
  }
  if (open !== undefined) close(open, source.length, Number.POSITIVE_INFINITY);
  return fences;
}

/** The fence whose opening line begins before `position` and which is not closed by then. Logarithmic. */
export function findFenceAround(fences: readonly Fence[], position: number): Fence | undefined {
  return findSpanAround(fences, position);
}

/** Finds the span that begins before `position` and ends after it. The spans are in order and do not overlap. */
function findSpanAround<Span extends { readonly start: number; readonly end: number }>(
  spans: readonly Span[],
  position: number,
): Span | undefined {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? position) < position) low = middle + 1;
    else high = middle;
  }
  const span = spans[low - 1];
  return span !== undefined && position < span.end ? span : undefined;
}

/** Whether a break at `position` leaves both fence lines of `fence`, which is around it, in one piece. */
export function isInBody(fence: Fence, position: number): boolean {
  return position >= fence.bodyStart && position <= fence.bodyEnd;
}

function findOpening(source: string, lineStart: number, bodyStart: number): OpenFence | undefined {
  const pattern = /([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)/y;
  pattern.lastIndex = lineStart;
  const [, before = "", marker = "", rest = ""] = pattern.exec(source) ?? [];
  // A line such as ```code``` is inline code.
  if (marker === "" || (marker.startsWith("`") && rest.includes("`"))) return undefined;
  return { start: lineStart, bodyStart, indent: before.replace(/\S/g, " "), marker, info: rest.trimEnd() };
}

function findClosing(source: string, lineStart: number, open: OpenFence): number | undefined {
  const pattern = /([ \t]*)(`{3,}|~{3,})[ \t]*\r?(?=\n|$)/y;
  pattern.lastIndex = lineStart;
  const [line = "", indent = "", marker = ""] = pattern.exec(source) ?? [];
  if (!marker.startsWith(open.marker) || indent.length > open.indent.length + CLOSER_INDENT_UNITS) return undefined;
  return lineStart + line.length;
}
