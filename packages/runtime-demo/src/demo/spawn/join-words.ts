import type { Completion } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { countShareSilently, formatTotal } from "../words/count-words.ts";
import { formatPlace } from "../words/list-place.ts";
import {
  formatFigures,
  formatSkipped,
  joinResults,
  parseWordsResult,
  type WordsResult,
} from "../words/words-result.ts";
import { type ChildEnds, formatLoss } from "./child-end.ts";
import type { Job } from "./job.ts";

type WordsJob = Extract<Job, { kind: "words" }>;

/** One count of what the children of a job counted. What no child was started for is counted here. */
export async function joinWords(turn: LiveTurn, job: WordsJob, ends: ChildEnds): Promise<string> {
  const results: WordsResult[] = [];
  const losses: string[] = [];
  for (let part = 1; part <= job.of; part += 1) {
    const answer = job.parts.find((each) => each.part === part)?.answer;
    const end = answer?.kind === "accepted" ? ends.get(answer.runId) : undefined;
    const result = end === undefined ? await countShareSilently(turn, { ...job, part }) : readResult(end);
    if (result === undefined)
      losses.push(`words ${part}/${job.of} ${end === undefined ? "was not started" : formatLoss(end)}`);
    else results.push(result);
  }
  return formatJoined(formatPlace(job.dir), joinResults(results), results.length, losses);
}

/** The outcome is the host's word, the answer the child's: what failed has no result, whatever it said. */
function readResult(end: Completion): WordsResult | undefined {
  return end.outcome === "done" ? parseWordsResult(end.result) : undefined;
}

function formatJoined(place: string, sum: WordsResult, counted: number, losses: readonly string[]): string {
  if (counted === 0)
    return [`I could not count the words in ${place}.`, ...losses.map((loss) => `${loss}.`)].join("\n");
  const total = losses.length === 0 ? formatTotal(place, sum) : `Counted in ${place}: ${formatFigures(sum)}.`;
  return [total, ...formatSkipped(sum), ...losses.map((loss) => `${loss}; the sum is without it.`)].join("\n");
}
