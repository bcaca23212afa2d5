/** The steps of a turn: a tool's result, its end, and its lane given back. */
import type { NewDelivery, NewEntry, SessionWrite } from "./new-rows.ts";
import type { RunSpeech, TurnRun } from "./run-steps.ts";

/**
 * T2b. Entries of a running turn, before the agent sees what they hold. `already` when the last id exists, but the
 * fence is looked at first; others that exist are left alone.
 */
export interface ToolResultStep {
  readonly step: "tool_result";
  readonly lane: string;
  readonly epoch: number;
  readonly sessionId: string;
  readonly itemSeq: number;
  readonly entries: readonly NewEntry[];
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
 * Gives a lane back without an end: its items wait again. An orderly stop gives the attempt back too. `already` when
 * the turn of this epoch is over, however it ended.
 */
export interface ReleaseStep {
  readonly step: "release";
  readonly lane: string;
  readonly epoch: number;
  readonly giveBackAttempt: boolean;
}
