import type { NewEntry } from "./new-rows.ts";

/**
 * Fences off whatever runs in a lane: its items are done, but a completion is only appended; `entries` go to `sessionId`
 * (and to the item that ran, if any). Refused as a conflict unless the lane's epoch is `epoch`. The epoch itself grows
 * with claims only.
 */
export interface TurnStop {
  /** Absent: the command's own. Another one is refused as a conflict where nobody runs it. */
  readonly lane?: string;
  readonly epoch: number;
  /** It is the turn that runs which is stopped: refused as a conflict where nobody runs the lane any more. */
  readonly isRunning?: true;
  readonly sessionId: string;
  readonly entries: readonly NewEntry[];
  /** What the turn had taken along of what waits: messages of the lane that wait are done with it, others are left alone. */
  readonly taken?: readonly number[];
}
