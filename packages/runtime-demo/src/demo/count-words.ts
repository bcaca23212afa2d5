import type { LiveTurn } from "../turns/live-turn.ts";
import { formatCount } from "./demo-phrase.ts";
import { countFile, type FileCount } from "./file-count.ts";
import { parseFileListing } from "./file-listing.ts";

/** As deep as `list_files` goes. */
const LISTING_DEPTH = 32;
/** Below this a count is over before anybody could read how far it is. */
const PROGRESS_FROM_FILES = 20;
const SUGGESTED_FOLDERS = 8;

/** Counts the words of the text files below a directory of the workspace, through the agent's tools only. */
export async function countWords(turn: LiveTurn, dir: string): Promise<void> {
  const listed = await turn.callTool("list_files", { dir, depth: LISTING_DEPTH });
  if (listed.isError) return turn.say(`I can't list ${dir}: ${listed.text}${await suggestFolders(turn)}`);
  const { files, notices } = parseFileListing(listed.text);
  const counts: FileCount[] = [];
  if (files.length > 0) await turn.say(`Counting words in ${placeOf(dir)}: ${formatCount(files.length, "file")}.\n`);
  for (const file of files) {
    counts.push(await countFile(turn, file));
    await tellProgress(turn, counts, files.length);
  }
  await turn.say([formatTotal(dir, counts), ...formatSkipped(counts), ...notices.map(asSentence)].join("\n"));
}

/** The folders that could be counted instead; nothing where there are none. */
async function suggestFolders(turn: LiveTurn): Promise<string> {
  const listed = await turn.callTool("list_files", { dir: ".", depth: 1 });
  const [first, ...more] = listed.isError ? [] : parseFileListing(listed.text).folders.slice(0, SUGGESTED_FOLDERS);
  if (first === undefined) return "";
  return `\nFolders here: ${[first, ...more].join(" ")} Try: count words in ${first.slice(0, -1)}`;
}

/** A line at each quarter of the way. */
async function tellProgress(turn: LiveTurn, counts: readonly FileCount[], of: number): Promise<void> {
  if (of < PROGRESS_FROM_FILES) return;
  const quarters = [1, 2, 3].map((quarter) => Math.ceil((of * quarter) / 4));
  if (!quarters.includes(counts.length)) return;
  await turn.say(`${counts.length} of ${formatCount(of, "file")}: ${formatCount(sumOf(counts), "word")} so far.\n`);
}

function formatTotal(dir: string, counts: readonly FileCount[]): string {
  const counted = counts.filter((count) => count.kind === "words");
  const longest = counted.reduce<(typeof counted)[number] | undefined>(
    (most, count) => (most === undefined || count.words > most.words ? count : most),
    undefined,
  );
  if (longest === undefined) return `${placeOf(dir)} has no text files that I can count.`;
  const words = formatCount(sumOf(counts), "word");
  const most = longest.words.toLocaleString("en-US");
  return `${placeOf(dir)} has ${words} in ${formatCount(counted.length, "file")}; the longest is ${longest.path} (${most}).`;
}

function formatSkipped(counts: readonly FileCount[]): string[] {
  const skipped = (["binary", "too large", "unreadable"] as const).flatMap((kind) => {
    const count = counts.filter((each) => each.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}${kind === "too large" ? " (over 1 MiB)" : ""}`];
  });
  return skipped.length === 0 ? [] : [`Skipped: ${skipped.join(", ")}.`];
}

function sumOf(counts: readonly FileCount[]): number {
  return counts.reduce((sum, count) => sum + (count.kind === "words" ? count.words : 0), 0);
}

function placeOf(dir: string): string {
  return dir === "." ? "the workspace" : `${dir}/`;
}

function asSentence(notice: string): string {
  return `${notice.charAt(0).toUpperCase()}${notice.slice(1)}.`;
}
