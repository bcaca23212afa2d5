import { isUnfinished } from "@banyan/store";
/** What the message says that shows how sub-agents fare while they work. Pure. */
import { escapeName } from "../ports/plain-text.ts";
import { formatEnd } from "./completion-message.ts";
import { RUN_STATUS_WORDS, type RunRecord } from "./run-record.ts";

const LONGEST_NOTE_CHARS = 200;
/** Of all notes together, so that a list fits into one message of any channel. */
const ALL_NOTES_CHARS = 1_500;
/** More of them make a page, and may not fit into one message. */
const MOST_LISTED = 20;

/** The delivery that shows how the children fare which one turn has asked for: `seq` of the turn's lane item. */
export function buildStatusDeliveryId(seq: number): string {
  return `status-${seq}`;
}

export function buildStatusRowId(seq: number): string {
  return `${buildStatusDeliveryId(seq)}.0`;
}

/** In Markdown: one line for a run that is alone, else a list, in the order of their spawning. */
export function formatStatus(runs: readonly RunRecord[]): string {
  const [run] = runs;
  if (run !== undefined && runs.length === 1) return formatAlone(run);
  const working = runs.filter(isUnfinished).length;
  const head =
    working === 0 ? `${runs.length} sub-agents have ended.` : `🌱 ${working} of ${runs.length} sub-agents at work:`;
  const rest = runs.length - MOST_LISTED;
  const noteChars = Math.floor(ALL_NOTES_CHARS / Math.min(runs.length, MOST_LISTED));
  const lines = runs.slice(0, MOST_LISTED).map((one) => `- ${formatListed(one, noteChars)}`);
  return [head, ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
}

function formatAlone(run: RunRecord): string {
  if (run.completion !== undefined) return `${formatEnd(run.completion)}.`;
  return `🌱 **${escapeName(run.name)}** is at work (\`${run.runId.slice(0, 8)}\`)${formatNote(run, LONGEST_NOTE_CHARS)}`;
}

function formatListed(run: RunRecord, noteChars: number): string {
  if (run.completion !== undefined) return formatEnd(run.completion);
  return `**${escapeName(run.name)}** ${RUN_STATUS_WORDS[run.status]}${formatNote(run, Math.min(noteChars, LONGEST_NOTE_CHARS))}`;
}

function formatNote({ state, note = "" }: RunRecord, limitChars: number): string {
  if (state !== "running" || note === "") return ".";
  const short = note.length > limitChars ? `${note.slice(0, limitChars).toWellFormed()}…` : note;
  return `: ${escapeName(short)}`;
}
