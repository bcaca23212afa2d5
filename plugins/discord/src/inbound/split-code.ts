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
  const findClosing = createClosingSearch(runs);
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const run of runs) {
    const opening = run.start < at ? undefined : unescapeRun(text, run);
    if (opening === undefined) continue;
    const closing = findClosing(opening);
    if (closing === undefined) continue;
    pieces.push({ text: text.slice(at, opening.start), isCode: false });
    pieces.push({ text: text.slice(opening.start, closing.end), isCode: true });
    at = closing.end;
  }
  pieces.push({ text: text.slice(at), isCode: false });
  return pieces.filter((piece) => piece.text !== "");
}

function findRuns(text: string): readonly TickRun[] {
  return [...text.matchAll(/`+/g)].map(({ index, 0: run }) => ({ start: index, end: index + run.length }));
}

/** Outside code a backslash takes the first backtick away. */
function unescapeRun(text: string, run: TickRun): TickRun | undefined {
  let backslashes = 0;
  while (text[run.start - 1 - backslashes] === "\\") backslashes += 1;
  const start = run.start + (backslashes % 2);
  return start === run.end ? undefined : { start, end: run.end };
}

/** The next run as long as an opening one. Openings are asked for in order, so each run is passed over once in all. */
function createClosingSearch(runs: readonly TickRun[]): (opening: TickRun) => TickRun | undefined {
  const ahead = Map.groupBy(runs.toReversed(), ({ start, end }) => end - start);
  return (opening) => {
    const sameLength = ahead.get(opening.end - opening.start) ?? [];
    while ((sameLength.at(-1)?.start ?? opening.end) < opening.end) sameLength.pop();
    return sameLength.at(-1);
  };
}
