import { parseChildWork } from "./child-task.ts";
import type { SpawnAnswer } from "./spawn-child.ts";
import type { SpawnedChild, SpawnTurn } from "./spawn-turn.ts";

/** What a person asked for once, with the sub-agents that work on it. */
export type Job =
  | { readonly kind: "words"; readonly dir: string; readonly of: number; readonly parts: readonly WordsPart[] }
  | { readonly kind: "compare"; readonly sides: readonly CompareSide[] }
  | { readonly kind: "single"; readonly child: SpawnedChild };

export interface WordsPart {
  readonly part: number;
  readonly answer: SpawnAnswer;
}

export interface CompareSide {
  readonly place: string;
  readonly answer: SpawnAnswer;
}

/** Sorts the sub-agents of one turn by what they work on: a turn may have answered several messages. */
export function groupJobs(children: SpawnTurn): readonly Job[] {
  const jobs: Job[] = [];
  for (const child of children) {
    const joined = joinJob(jobs.at(-1), child);
    if (joined.isNew) jobs.push(joined.job);
    else jobs[jobs.length - 1] = joined.job;
  }
  return jobs;
}

/** Of a job where nobody was started, the asking turn has said all. */
export function hasStarted(job: Job): boolean {
  const answers = answersOf(job);
  return answers.some(({ kind }) => kind === "accepted");
}

function answersOf(job: Job): readonly SpawnAnswer[] {
  if (job.kind === "single") return [job.child.answer];
  return (job.kind === "words" ? job.parts : job.sides).map(({ answer }) => answer);
}

function joinJob(last: Job | undefined, child: SpawnedChild): { readonly job: Job; readonly isNew: boolean } {
  const work = parseChildWork(child);
  const { answer } = child;
  if (work.kind === "words") {
    const { dir, of, part } = work;
    const isNext =
      last?.kind === "words" && last.dir === dir && last.of === of && part > (last.parts.at(-1)?.part ?? 0);
    const parts = [...(isNext ? last.parts : []), { part, answer }];
    return { job: { kind: "words", dir, of, parts }, isNew: !isNext };
  }
  if (work.kind === "side") {
    const isNext = last?.kind === "compare" && last.sides.length === 1;
    const sides = [...(isNext ? last.sides : []), { place: work.place, answer }];
    return { job: { kind: "compare", sides }, isNew: !isNext };
  }
  return { job: { kind: "single", child }, isNew: true };
}
