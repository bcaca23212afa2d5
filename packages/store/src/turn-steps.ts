/** The steps of a turn: a tool's result, its end, and its lane given back. */
import type { NewAudit, NewDelivery, NewEntry, SessionWrite } from "./new-rows.ts";
import type { RunSpeech, TurnRun } from "./run-steps.ts";
import type { FiredTimer, NewTimer } from "./timer-steps.ts";

/**
 * T2b. Entries of a running turn, before the agent sees what they hold. `already` when the last id exists, but the
 * fence is looked at first; others that exist are left alone. Also a question of the turn: its entry, the rows that ask
 * it in a chat, and the timer of its end.
 */
export interface ToolResultStep {
  readonly step: "tool_result";
  readonly lane: string;
  readonly epoch: number;
  readonly sessionId: string;
  readonly itemSeq: number;
  readonly entries: readonly NewEntry[];
  readonly deliveries?: readonly NewDelivery[];
  readonly arm?: readonly NewTimer[];
  /** Written with the entries; also without any, where a repeat writes it again. */
  readonly audit?: readonly NewAudit[];
  /** Only a note, such as the start of a call: no progress of the turn. Without it the turn is no suspect any more. */
  readonly isNote?: true;
}

/**
 * The answer to what a turn asked: an entry of its item, beside the turn. The first one holds. Refused as a `conflict` in a
 * command where it has one, or where the item has ended or is only appended.
 */
export interface AnswerEffect {
  readonly itemSeq: number;
  readonly sessionId: string;
  readonly entry: NewEntry;
  readonly arm: readonly NewTimer[];
}

/** The same outside a command. `already` where it has one; refused as `ended` where nobody asks for it any more. */
export interface AnswerStep extends AnswerEffect {
  readonly step: "answer";
  readonly timer?: FiredTimer;
}

/**
 * T3. Ends a turn: its items are done, its entries and deliveries written, its lane free. The entries belong to the
 * first item. Entries that exist are left alone. A repeat is `already` also after later turns of the lane.
 */
export interface CommitTurnStep {
  readonly step: "commit_turn";
  readonly lane: string;
  readonly epoch: number;
  /** The claimed one first, then waiting ones that the turn took along; anything else is refused as `wrong_state`. */
  readonly items: readonly number[];
  readonly itemState: "done" | "quarantined";
  readonly entries: readonly NewEntry[];
  readonly session: SessionWrite;
  readonly deliveries: readonly NewDelivery[];
  /**
   * T4, where the turn works for a run. Refused as `not_found`, and as `wrong_state` for one neither `running` nor
   * `waiting`.
   */
  readonly run?: TurnRun;
  /**
   * Who tells the chat of ended runs by this turn's end; refused as a `conflict` where one of them has not ended or was
   * told of.
   */
  readonly speeches?: readonly RunSpeech[];
}

/**
 * Gives a lane back without an end: its items wait again. An orderly stop gives the attempt back too, and changes no count
 * of deaths. `already` when the turn of this epoch is over, however it ended.
 */
export interface ReleaseStep {
  readonly step: "release";
  readonly lane: string;
  readonly epoch: number;
  readonly giveBackAttempt: boolean;
}

/**
 * Changes what the next death of the process means. `isCleared`: the running turn counts as one that has made progress.
 * `shared`: messages waiting in its lane that it takes along become suspects together with it; anything else is left
 * alone.
 */
export interface SuspicionStep {
  readonly step: "suspicion";
  readonly lane: string;
  readonly epoch: number;
  readonly isCleared?: true;
  readonly shared?: readonly number[];
}
