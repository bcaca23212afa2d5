/** The steps of runs: reserve, accept, end. */
import type { BindStep, NewBinding } from "./binding-steps.ts";
import type { NewAudit, NewDelivery, NewEntry, NewItem, SessionWrite } from "./new-rows.ts";
import type { RunEndReason, RunIdentity, RunSpeaker } from "./run-rows.ts";
import type { FiredTimer, NewTimer, SetTimersStep } from "./timer-steps.ts";
import type { TurnStop } from "./turn-stop.ts";

/** With the steps of the timers and bindings that belong to runs. */
export type RunStep =
  | ReserveRunStep
  | AcceptRunStep
  | UndoRunStep
  | EndRunsStep
  | AnnounceRunStep
  | EnqueueStep
  | ArchiveRunStep
  | ArchiveSessionStep
  | SetTimersStep
  | BindStep;

/**
 * T1a. Writes the run as `reserved`. `already` where this very run was written before. Else `fenced` where `epoch` is
 * given and nobody runs the requester's lane at that epoch: no turn would get the answer. `already` also where a run with this `dedupe` stands that was not undone (`run` is that
 * one). Refused, in this order, as `conflict` where another run has its `runId`, as `no_session` where the requester's
 * session is gone or archived, as `ended` where the parent run has ended or is gone, as `children` or `tree` where one
 * more would be too many: unfinished runs of the requester, and of the root's tree.
 */
export interface ReserveRunStep {
  readonly step: "reserve_run";
  readonly run: RunIdentity;
  readonly mostChildren: number;
  readonly mostTreeRuns: number;
  /** Of the turn that asks, in the requester's lane; absent: no turn asks. */
  readonly epoch?: number;
}

/**
 * The turn that asks for a step. Unless the step was written before, it is `fenced` where nobody runs that lane at that epoch:
 * another process may run the turn, and no turn would get the answer.
 */
export interface TurnClaim {
  readonly lane: string;
  readonly epoch: number;
}

/** What makes a reserved run an accepted one. */
export interface AcceptRun {
  readonly runId: string;
  /** Which the child's record names as its parent; absent: any. */
  readonly requesterSessionKey?: string;
  /** The child's session, inserted; absent for one that stands. */
  readonly session?: SessionWrite;
  /** What the child knows from the start; goes to the session's transcript. */
  readonly entries?: readonly NewEntry[];
  /** The task. Its `lane` is the child's key, its `runId` the run. */
  readonly item: NewItem;
  readonly timers: readonly NewTimer[];
  /** Takes the place of another one at its address. */
  readonly binding?: NewBinding;
  /** The run's body as it stands from now on. */
  readonly body: string;
}

/**
 * T1. `reserved → accepted`. `already` where it was accepted before (whatever became of it since). Else
 * `fenced` as in T1a. Refused, in this
 * order, as `not_found`, as `wrong_state` where it was undone, as `ended` where the parent run has ended meanwhile, as
 * `no_session` where the child's session is to stand and does not (or is archived), or the requester's is gone (or
 * archived), and as `conflict` where a session stands under the child's key that is to be inserted, archived or not, or
 * the item's lane is not the child's key any more, or the requester's key is another by now, or the `giver` does not
 * stand at the revision that it is expected at (or is archived).
 */
export interface AcceptRunStep extends AcceptRun {
  readonly step: "accept_run";
  /** Of the turn that asks, in the lane of the run's requester; absent: no turn asks. */
  readonly epoch?: number;
  /** Another session than the child's, which gives up to it what is its own: its record from now on. */
  readonly giver?: SessionWrite;
}

/**
 * `reserved → ended` with `spawn-failed`. Nobody is told, so it is settled by `nobody`; its `dedupe` is free again.
 * Completions that waited for it are set free. Refused as `not_found`; `already` where it has ended; `fenced` by `askedBy`;
 * refused as `wrong_state` where it was accepted.
 */
export interface UndoRunStep {
  readonly step: "undo_run";
  readonly runId: string;
  /** Absent: no turn asks, or the turn takes back what it has reserved itself. */
  readonly askedBy?: TurnClaim;
}

/** One run's end. */
export interface RunEnd {
  readonly runId: string;
  /** Whose key it was decided for; absent: whoever it is. */
  readonly requesterSessionKey?: string;
  readonly endedReason: RunEndReason;
  /** A `Completion`. */
  readonly result: string;
  readonly target?: string;
  /**
   * What the requester's lane gets, with the dedupe `completion|<runId>`. Its `runId` is the parent run, if any: while
   * that one has other awaited children it is `held`, and the last of them sets all free. Where that run has ended, or
   * ends in this step, it is only appended. Absent: nobody is left to tell.
   */
  readonly completion?: NewItem;
  /** Fixes who tells the chat; absent: that is decided later. */
  readonly settledBy?: RunSpeaker;
  readonly deliveries: readonly NewDelivery[];
  readonly timers: readonly NewTimer[];
  /** Ids of timers that are not to fire any more. */
  readonly endTimers: readonly string[];
  /**
   * The child's record as it is from now on. In a `commit_turn`, one under the key of the step's own `session` is written
   * in its place, as one write with that one's revision; where the run waits instead, the step's own one is.
   */
  readonly session?: SessionWrite;
  /**
   * Fences off what the child's lane runs for this run: its items of this run are done, but completions among them, the
   * one that ran included, are only appended; `entries` go to `sessionId`, as those of the item that ran if that is of this run. What the lane
   * runs for anything else goes on. Refused as a `conflict` unless the lane's epoch is `epoch`.
   */
  readonly stop?: { readonly epoch: number; readonly sessionId: string; readonly entries: readonly NewEntry[] };
  /** What was opened for the child is bound no more; a conversation that a person has turned to it stays so. */
  readonly unbinds?: true;
}

/**
 * T4: the only writer of completions. All ends or none: refused as a `conflict` where one of the runs is unknown, has
 * ended, is `reserved` or has another requester than its end, a revision or epoch is not the present one, a completion's lane has no session (or an
 * archived one), or a session of `closed` or a run of `closedRuns` has an unfinished child that is not among `ends`. After
 * whatever else the step writes, completions and deliveries are written in the order of `ends`: each one's completion, then its
 * deliveries. The completions that a run still holds are appended when it ends.
 */
export interface EndRuns {
  /** Children before their parents. */
  readonly ends: readonly RunEnd[];
  /** Sessions that are to be left without unfinished children. */
  readonly closed: readonly string[];
  /** Runs that are to be left without unfinished children; absent: none. */
  readonly closedRuns?: readonly string[];
}

/**
 * T4 alone. `already` where all of its runs have ended and nobody runs the turn of `stop`; the timer goes then too. Else
 * `fenced` by `askedBy`.
 */
export interface EndRunsStep extends EndRuns {
  readonly step: "end_runs";
  /** Absent: no turn asks. */
  readonly askedBy?: TurnClaim;
  /** A turn that works for none of them; written before the ends. */
  readonly stop?: TurnStop & { readonly lane: string };
  readonly timer?: FiredTimer;
  readonly audit?: NewAudit;
}

/** T3 carries T4: what the turn's end means for the run that it works for. */
export interface TurnRun extends EndRuns {
  readonly runId: string;
  /**
   * The run goes on as `waiting`, and nothing of `ends` is written, where it has unfinished children that are awaited
   * or items of its own in its lane (wake `turn`, waiting or held) besides those of this turn. Completions
   * that wait there for it are held as long as it has such children. Else, or without this, it ends; refused as a
   * `conflict` where its own end is not among `ends` then.
   */
  readonly mayWait: boolean;
}

/** Somebody tells the chat of a run that has ended. */
export interface RunSpeech {
  readonly runId: string;
  readonly by: RunSpeaker;
  /** One message tells of several, and its deliveries name this run of them; absent: the run itself. */
  readonly toldWithRunId?: string;
}

/**
 * The chat is told by the host, because the requester did not. `already` where somebody has spoken. Refused as
 * `not_found`, and as `wrong_state` for a run that has not ended.
 */
export interface AnnounceRunStep {
  readonly step: "announce_run";
  readonly runId: string;
  readonly deliveries: readonly NewDelivery[];
  readonly timer?: FiredTimer;
}

/**
 * An input that comes from inside, such as one agent's message to another. `already` where its `dedupe` stands; else
 * `fenced` by `askedBy`; refused as `no_session`.
 */
export interface EnqueueStep {
  readonly step: "enqueue";
  readonly item: NewItem;
  /** Absent: no turn asks. */
  readonly askedBy?: TurnClaim;
}

/**
 * The child's session of an ended run is put away: it is listed no more and takes no input. Refused as `busy` while it
 * or anything below it has unfinished work, waiting items or deliveries that are not settled (of the run it was told with, too), or the run's completion
 * is not in its requester's transcript; as `not_found` and `wrong_state`. `already` where the run is archived; where
 * only its session is gone or archived, the run alone is marked.
 */
export interface ArchiveRunStep {
  readonly step: "archive_run";
  readonly runId: string;
  readonly timer?: FiredTimer;
  /** For what is left to remove. */
  readonly timers: readonly NewTimer[];
}

/**
 * Puts a session away. Its bindings go. `already` where it is archived. Refused as `not_found`, and as `busy` while it
 * works for an unfinished run or has unfinished children, or its lane runs, waits or holds.
 */
export interface ArchiveSessionStep {
  readonly step: "archive_session";
  readonly key: string;
  readonly audit: NewAudit;
}
