import { formatDuration } from "@banyan/plugin-sdk";
import { cutToWidth, measureWidth } from "../ports/display-width.ts";
import { formatPlainLine } from "../ports/plain-text.ts";
import { measureRunMs, RUN_STATUS_WORDS, type RunRecord } from "./run-record.ts";
import type { RunNode } from "./run-tree.ts";

const GAP = "   ";
const SHORTEST_NAME_COLUMNS = 8;
const LONGEST_NAME_COLUMNS = 40;
/** What a run has to say is not begun to be told in less room than this. */
const SHORTEST_NOTE_COLUMNS = 12;

export interface DrawOptions {
  readonly now: number;
  /** No line is wider. */
  readonly columns: number;
  /** What each has to say is told behind it, in one line. Default true. */
  readonly notes?: boolean;
}

interface DrawnRun {
  /** The strokes before the name. */
  readonly lead: string;
  readonly name: string;
  readonly figures: readonly string[];
  readonly note: string;
}

/**
 * A tree as text in columns, for whatever shows letters of one width:
 *
 *     ├ words 1/3      running   12 s
 *     │ └ long words   queued    0.2 s
 *     └ words 2/3      done      0.3 s   1200 tokens   4,210 words
 *
 * Names and notes come from outside: they are shown without control characters, on one line.
 */
export function drawRunTree(nodes: readonly RunNode[], { now, columns, notes = true }: DrawOptions): readonly string[] {
  const rows = listRows(nodes, "", now);
  const figureWidths = [0, 1, 2].map((at) => measureColumn(rows.map(({ figures }) => figures[at] ?? "")));
  const figureColumns = figureWidths.reduce((sum, width) => sum + (width === 0 ? 0 : GAP.length + width), 0);
  const widestName = Math.max(0, ...rows.map(({ lead, name }) => measureWidth(lead + name)));
  const deepest = Math.max(0, ...rows.map(({ lead }) => lead.length));
  const nameColumns = Math.min(
    widestName,
    deepest + LONGEST_NAME_COLUMNS,
    Math.max(deepest + SHORTEST_NAME_COLUMNS, columns - figureColumns),
  );
  const noteColumns = columns - nameColumns - figureColumns - GAP.length;
  return rows.map(({ lead, name, figures, note }) => {
    const head = pad(lead + cut(name, nameColumns - lead.length), nameColumns);
    const cells = figureWidths.flatMap((width, at) => (width === 0 ? [] : [pad(figures[at] ?? "", width)]));
    const told = notes && noteColumns >= SHORTEST_NOTE_COLUMNS ? [cut(note, noteColumns)] : [];
    return cutToWidth([head, ...cells, ...told].join(GAP).trimEnd(), columns);
  });
}

function listRows(nodes: readonly RunNode[], above: string, now: number): readonly DrawnRun[] {
  return nodes.flatMap(({ run, children }, at) => {
    const isLast = at === nodes.length - 1;
    const row = { lead: `${above}${isLast ? "└" : "├"} `, name: formatPlainLine(run.name), ...describeRun(run, now) };
    return [row, ...listRows(children, `${above}${isLast ? " " : "│"} `, now)];
  });
}

function describeRun(run: RunRecord, now: number): Pick<DrawnRun, "figures" | "note"> {
  const tokens = run.completion?.totalTokens;
  const figures = [
    RUN_STATUS_WORDS[run.status],
    formatDuration(measureRunMs(run, now)),
    tokens === undefined ? "" : `${tokens} tokens`,
  ];
  return { figures, note: run.note ?? "" };
}

function measureColumn(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(measureWidth));
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - measureWidth(text)));
}

function cut(text: string, columns: number): string {
  return measureWidth(text) <= columns ? text : `${cutToWidth(text, Math.max(0, columns - 1))}…`;
}
