import type { LiveTurn, TurnEnd } from "@banyan/plugin-sdk/runtime";
import { formatCount } from "../demo-phrase.ts";
import { countFiles } from "./count-files.ts";
import type { FileListing } from "./file-listing.ts";
import { formatNotice, formatPlace, listPlace } from "./list-place.ts";
import { splitFiles } from "./split-files.ts";
import { formatFigures, formatSkipped, formatWordsResult, type WordsResult } from "./words-result.ts";

/** Below this a count is over before anybody could read how far it is. */
const TELL_FROM_FILES = 20;
/** A child is watched in a tree, where also a short way is worth a line. */
const CHILD_TELLS_FROM_FILES = 4;

/** Counts alone what a folder or file holds, and says it to people. */
export async function countWords(turn: LiveTurn, dir: string, { files, notices }: FileListing): Promise<void> {
  const place = formatPlace(dir, files);
  if (files.length > 0) await turn.say(`Counting words in ${place}: ${formatCount(files.length, "file")}.\n`);
  const result = await countFiles(turn, files, { tellFromFiles: TELL_FROM_FILES });
  await turn.say([formatTotal(place, result), ...formatSkipped(result), ...notices.map(formatNotice)].join("\n"));
}

/** Which files of a folder a child counts: all, or one of several shares. */
export interface Share {
  readonly dir: string;
  readonly part: number;
  readonly of: number;
}

/** Counts a share as a child does: its last line is what the requester reads. */
export async function countShare(turn: LiveTurn, share: Share): Promise<TurnEnd> {
  const listed = await listPlace(turn, share.dir);
  if (listed.kind === "refused") {
    return { reason: "error", error: { isRetryable: false, message: `I can't list ${share.dir}: ${listed.reason}` } };
  }
  const files = splitFiles(listed.files, share.of)[share.part - 1] ?? [];
  const name = share.of === 1 ? "words in" : `part ${share.part} of ${share.of} of`;
  await turn.say(`Counting ${name} ${formatPlace(share.dir, listed.files)}: ${formatCount(files.length, "file")}.\n`);
  await turn.say(formatWordsResult(await countFiles(turn, files, { tellFromFiles: CHILD_TELLS_FROM_FILES })));
  return { reason: "done" };
}

/** The same without a word; `undefined` when the folder cannot be listed. */
export async function countShareSilently(turn: LiveTurn, share: Share): Promise<WordsResult | undefined> {
  const listed = await listPlace(turn, share.dir);
  if (listed.kind === "refused") return undefined;
  return countFiles(turn, splitFiles(listed.files, share.of)[share.part - 1] ?? [], {});
}

export function formatTotal(place: string, result: WordsResult): string {
  if (result.files === 0) return `${place} has no text files that I can count.`;
  return `${place} has ${formatFigures(result)}.`;
}
