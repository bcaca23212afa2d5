/** Cuts a text into the parts that a platform takes. Pure. */
import { findBreak, findLinks, isInsidePair, type Unbroken } from "./split-break.ts";
import { findFenceAround, findFences, isInBody } from "./split-fence.ts";

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
  /** Kept free in every part for a mark that is put before it later, 32 unless told. At least one unit stays for text. */
  readonly reserveUnits?: number;
  /** Whether the text is Markdown, so that code fences are closed and reopened at a break, and links are kept whole. */
  readonly markdown?: boolean;
}

/** A range of the source, in UTF-16 code units; what is sent is `prefix + source.slice(start, end) + suffix`. */
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
 * The parts of `source` in order, each within the limit less its reserve as it is sent, none only whitespace, none
 * beginning or ending inside a surrogate pair. Their ranges join to the source exactly, save that a run of whitespace
 * which no part can hold beside some text is left out where it does not fit. `[]` for a source that is empty or only
 * whitespace. Never throws unless `measure` does; takes time in proportion to the source.
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
