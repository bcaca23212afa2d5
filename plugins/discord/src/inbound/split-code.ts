/** Tells code from words in Discord's Markdown: in code a mention is no mention. */

export interface TextPiece {
  readonly text: string;
  readonly isCode: boolean;
}

interface TickRun {
  readonly start: number;
  readonly end: number;
}

/** The pieces in order; joined they are the text. A run of backticks opens code where a run of the same length follows. */
export function splitCode(text: string): readonly TextPiece[] {
  if (!text.includes("`")) return [{ text, isCode: false }];
  const runs = findRuns(text);
  const pieces: TextPiece[] = [];
  let at = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const opening = unescapeRun(text, runs[index]);
    if (opening === undefined) continue;
    const closingIndex = findClosing(runs, index + 1, opening.end - opening.start);
    const closing = runs[closingIndex];
    if (closing === undefined) continue;
    pieces.push({ text: text.slice(at, opening.start), isCode: false });
    pieces.push({ text: text.slice(opening.start, closing.end), isCode: true });
    at = closing.end;
    index = closingIndex;
  }
  pieces.push({ text: text.slice(at), isCode: false });
  return pieces.filter((piece) => piece.text !== "");
}

function findRuns(text: string): readonly TickRun[] {
  return [...text.matchAll(/`+/g)].map(({ index, 0: run }) => ({ start: index, end: index + run.length }));
}

/** Outside code a backslash takes the first backtick away. */
function unescapeRun(text: string, run: TickRun | undefined): TickRun | undefined {
  if (run === undefined) return undefined;
  let backslashes = 0;
  while (text[run.start - 1 - backslashes] === "\\") backslashes += 1;
  const start = run.start + (backslashes % 2);
  return start === run.end ? undefined : { start, end: run.end };
}

function findClosing(runs: readonly TickRun[], from: number, length: number): number {
  return runs.findIndex(({ start, end }, index) => index >= from && end - start === length);
}
