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
 * would be no room for code beside them. Fences in a block quote are not seen, their lines need the quote's mark anyway.
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
export function findSpanAround<Span extends { readonly start: number; readonly end: number }>(
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
