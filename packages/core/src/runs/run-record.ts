import type { Completion, RunOutcome } from "@banyan/plugin-sdk";
import type { RunEndReason, RunRow, RunState } from "@banyan/store";
import { OUTCOMES } from "./build-completion.ts";
import { nameRun, parseRunBody, type RunBody } from "./run-body.ts";
import { buildRunNote } from "./run-note.ts";

/** How a run fares, as people tell it apart. `undone`: its spawn failed, and nobody ever had its id. */
export type RunStatus = Exclude<RunState, "ended"> | RunOutcome | "undone";

/** A stored run, read. Keys, addresses and times are the row's. */
export interface RunRecord extends Omit<RunRow, "body" | "result"> {
  readonly body: RunBody;
  /** Of an ended run; an undone one has none. */
  readonly completion?: Completion;
  readonly status: RunStatus;
  /** What people call it by. */
  readonly name: string;
  /** In one line: what an ended one had to say, or what one at work says just now. Absent: nothing, or nobody knows. */
  readonly note?: string;
}

/** What a run at work says just now, in one line: known only to the gateway that runs it, and kept nowhere. */
export type FindLiveNote = (run: Pick<RunRow, "runId" | "childSessionKey">) => string | undefined;

const OUTLINE_LIMIT_CHARS = 500;
const STATUS_OF_END: Readonly<Record<RunEndReason, RunStatus>> = { ...OUTCOMES, "spawn-failed": "undone" };

/** What is said for a status, behind a name: `words 1/3  timed out`. */
export const RUN_STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  reserved: "opening",
  accepted: "queued",
  running: "running",
  waiting: "waiting",
  done: "done",
  failed: "failed",
  timeout: "timed out",
  killed: "stopped",
  interrupted: "interrupted",
  undone: "not started",
};

/** The row is our own writing, so it is not checked again. */
export function parseRunRow({ body: text, result, ...row }: RunRow): RunRecord {
  const body = parseRunBody(text);
  const completion: Completion | undefined = result === undefined ? undefined : JSON.parse(result);
  const note = completion === undefined ? "" : buildRunNote(completion);
  return {
    ...row,
    body,
    ...(completion === undefined ? {} : { completion }),
    status: decideStatus(row),
    name: nameRun(body),
    ...(note === "" ? {} : { note }),
  };
}

/** The same with what it says just now. */
export function withLiveNote(run: RunRecord, findNote: FindLiveNote): RunRecord {
  const note = run.state === "running" ? findNote(run) : undefined;
  return note === undefined || note === "" ? run : { ...run, note };
}

/** The same where many are held: of its task and its result the beginning. */
export function parseRunOutline(row: RunRow): RunRecord {
  const { body, completion, ...rest } = parseRunRow(row);
  const outline = { ...rest, body: { ...body, task: cut(body.task) } };
  return completion === undefined
    ? outline
    : { ...outline, completion: { ...completion, result: cut(completion.result) } };
}

function cut(text: string): string {
  return text.length <= OUTLINE_LIMIT_CHARS ? text : text.slice(0, OUTLINE_LIMIT_CHARS).toWellFormed();
}

function decideStatus({ state, endedReason }: Pick<RunRow, "state" | "endedReason">): RunStatus {
  return state === "ended" ? STATUS_OF_END[endedReason ?? "interrupted"] : state;
}

export const UNFINISHED_STATES: readonly RunState[] = ["reserved", "accepted", "running", "waiting"];

export function isUnfinished({ state }: Pick<RunRow, "state">): boolean {
  return state !== "ended";
}

/** From the acceptance to the end, or to now. */
export function measureRunMs({ createdAtMs, endedAtMs, completion }: RunRecord, now: number): number {
  return Math.max(0, completion?.durationMs ?? (endedAtMs ?? now) - createdAtMs);
}
