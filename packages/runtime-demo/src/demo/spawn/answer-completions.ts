import type { Completion, TranscriptEntry, TurnMessage } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { formatSingle } from "./answer-single.ts";
import { type ChildEnds, formatEnd } from "./child-end.ts";
import { groupJobs, hasStarted, type Job } from "./job.ts";
import { joinSides } from "./join-sides.ts";
import { joinWords } from "./join-words.ts";
import { readSpawnTurns, type SpawnTurn } from "./spawn-turn.ts";

/**
 * What is said to the completions of a turn, as paragraphs; none while a child of the same turn is still at work, nor about
 * what the host has announced. All that is known of children stands in the transcript, so that any process can answer, and
 * a second attempt says the same.
 */
export async function answerCompletions(turn: LiveTurn, messages: readonly TurnMessage[]): Promise<readonly string[]> {
  const history = await turn.waitFor(turn.input.history());
  const spawnTurns = readSpawnTurns(history);
  const fresh = messages.flatMap(({ completion }) => (completion === undefined ? [] : [completion]));
  const ends = indexEnds([...readEnds(history), ...fresh]);
  const answered = new Set<SpawnTurn>();
  const paragraphs: string[] = [];
  for (const { completion, text } of messages) {
    const asked = completion && spawnTurns.find((children) => children.some((child) => isRun(child, completion)));
    if (completion === undefined) paragraphs.push(`A sub-agent has finished:\n${text}`);
    else if (asked === undefined) paragraphs.push(...(completion.isAnnounced ? [] : [formatEnd(completion)]));
    else if (!answered.has(asked) && isComplete(asked, ends)) {
      answered.add(asked);
      const jobs = groupJobs(asked).filter((job) => hasStarted(job) && !isAnnounced(job, ends));
      for (const job of jobs) paragraphs.push(await answerJob(turn, job, ends));
    }
  }
  return paragraphs;
}

async function answerJob(turn: LiveTurn, job: Job, ends: ChildEnds): Promise<string> {
  if (job.kind === "words") return joinWords(turn, job, ends);
  if (job.kind === "compare") return joinSides(job, ends);
  const { answer } = job.child;
  const end = answer.kind === "accepted" ? ends.get(answer.runId) : undefined;
  if (end === undefined) throw new Error("Answering for a sub-agent: it has not ended; answer when all have.");
  return formatSingle(job.child, end);
}

/** The chat knows it already. What is added up from several children it does not. */
function isAnnounced(job: Job, ends: ChildEnds): boolean {
  if (job.kind !== "single" || job.child.answer.kind === "refused") return false;
  return ends.get(job.child.answer.runId)?.isAnnounced === true;
}

function readEnds(history: readonly TranscriptEntry[]): readonly Completion[] {
  return history.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "completion" ? [part.completion] : [])),
  );
}

function indexEnds(completions: readonly Completion[]): ChildEnds {
  return new Map(completions.map((completion) => [completion.runId, completion]));
}

function isRun({ answer }: SpawnTurn[number], { runId }: Completion): boolean {
  return answer.kind === "accepted" && answer.runId === runId;
}

function isComplete(children: SpawnTurn, ends: ChildEnds): boolean {
  return children.every(({ answer }) => answer.kind === "refused" || ends.has(answer.runId));
}
