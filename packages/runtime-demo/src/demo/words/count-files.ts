import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { formatCount } from "../demo-phrase.ts";
import { countFile, type FileCount } from "./file-count.ts";
import type { ListedFile } from "./file-listing.ts";
import { sumCounts, type WordsResult } from "./words-result.ts";

export interface CountOptions {
  /** From so many files on, a line is said at each quarter of the way; absent: none. */
  readonly tellFromFiles?: number;
}

/** Counts the words of files through the agent's tools only. */
export async function countFiles(
  turn: LiveTurn,
  files: readonly ListedFile[],
  { tellFromFiles = Number.POSITIVE_INFINITY }: CountOptions,
): Promise<WordsResult> {
  const counts: FileCount[] = [];
  const quarters = [1, 2, 3].map((quarter) => Math.ceil((files.length * quarter) / 4));
  for (const file of files) {
    counts.push(await countFile(turn, file));
    if (files.length < tellFromFiles || !quarters.includes(counts.length)) continue;
    const { words } = sumCounts(counts);
    await turn.say(`${counts.length} of ${formatCount(files.length, "file")}: ${formatCount(words, "word")} so far.\n`);
  }
  return sumCounts(counts);
}
