import { formatCount } from "../demo-phrase.ts";
import { parseWordsResult } from "../words/words-result.ts";
import { type ChildEnds, formatLoss } from "./child-end.ts";
import type { CompareSide, Job } from "./job.ts";

/** A side as far as it is known. */
interface Side {
  readonly place: string;
  readonly line: string;
  readonly words?: number;
}

/** Which of two counts is larger. */
export function joinSides(job: Extract<Job, { kind: "compare" }>, ends: ChildEnds): string {
  const sides = job.sides.map((side) => readSide(side, ends));
  return [...sides.map(({ line }) => line), formatVerdict(sides)].join("\n");
}

function readSide({ place, answer }: CompareSide, ends: ChildEnds): Side {
  if (answer.kind === "refused") return { place, line: `${place} was not counted: ${answer.reason}.` };
  const end = ends.get(answer.runId);
  const result = end?.outcome === "done" ? parseWordsResult(end.result) : undefined;
  if (result !== undefined) {
    const { words, files } = result;
    return { place, words, line: `${place} has ${formatCount(words, "word")} in ${formatCount(files, "file")}.` };
  }
  return { place, line: `The count of ${place} ${end === undefined ? "is missing" : formatLoss(end)}.` };
}

function formatVerdict([left, right]: readonly Side[]): string {
  if (left?.words === undefined || right?.words === undefined) return "So there is nothing to compare.";
  const more = left.words - right.words;
  if (more === 0) return "They are equally long.";
  return `${more > 0 ? left.place : right.place} is longer by ${formatCount(Math.abs(more), "word")}.`;
}
