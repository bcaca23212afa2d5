/** How sub-agents are shown in a chat: names in bold, and rows in a block where letters have one width. */
import { formatDuration } from "@banyan/plugin-sdk";
import { isUnfinished } from "@banyan/store";
import { cutToWidth, measureWidth } from "../../ports/display-width.ts";
import { formatPlainLine } from "../../ports/plain-text.ts";
import { nameCompletion } from "../../runs/completion-message.ts";
import { measureRunMs, RUN_STATUS_WORDS, type RunRecord } from "../../runs/run-record.ts";

/** What a phone shows without turning it. */
export const CHAT_COLUMNS = 56;
const NAME_COLUMNS = 22;
/** More is no answer any more, but a scroll. */
const MOST_ROWS = 15;
const GAP = "  ";

/** A name from outside in bold, on one line; nothing in it is markup. */
export function boldRun({ name }: Pick<RunRecord, "name">): string {
  return `**${nameCompletion({ label: formatPlainLine(name), task: "" })}**`;
}

/** `running, 12 s so far`, `done in 3 s`. */
export function describeState(run: RunRecord, now: number): string {
  const time = formatDuration(measureRunMs(run, now));
  const word = RUN_STATUS_WORDS[run.status];
  if (isUnfinished(run)) return `${word}, ${time} so far`;
  return run.status === "done" ? `done in ${time}` : `${word} after ${time}`;
}

/** Lines of one width, whatever they hold: nothing in them closes the block. */
export function fence(lines: readonly string[]): string {
  return ["```", ...lines.map((line) => line.replaceAll("`", "'")), "```"].join("\n");
}

/** The numbered rows: all that are at work, and the newest of the others. */
export function formatRunRows(runs: readonly RunRecord[], now: number): string {
  const numbered = runs.map((run, at) => ({ run, number: at + 1 }));
  const newest = numbered.slice(-MOST_ROWS);
  const shown = numbered.filter((one) => isUnfinished(one.run) || newest.includes(one)).slice(-2 * MOST_ROWS);
  const rows = shown.map(({ run, number }) => listCells(run, number, now));
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((cells) => measureWidth(cells[at] ?? ""))));
  const lines = rows.map((cells) => {
    const line = cells.map((cell, at) => cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - measureWidth(cell))));
    return cutLine(line.join(GAP).trimEnd(), CHAT_COLUMNS);
  });
  const hidden = runs.length - shown.length;
  return [fence(lines), ...(hidden === 0 ? [] : [`… and ${hidden} older.`])].join("\n");
}

function listCells(run: RunRecord, number: number, now: number): readonly string[] {
  const name = formatPlainLine(run.name);
  const short = cutLine(name, NAME_COLUMNS);
  return [String(number), short, RUN_STATUS_WORDS[run.status], formatDuration(measureRunMs(run, now)), run.note ?? ""];
}

function cutLine(line: string, columns: number): string {
  return measureWidth(line) <= columns ? line : `${cutToWidth(line, columns - 1)}…`;
}
