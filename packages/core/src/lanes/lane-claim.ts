import type { Claim } from "@banyan/store";

/** A claimed lane on its way to a turn. */
export interface LaneClaim extends Claim {
  /** The item was stored by the step that claimed it: no turn has begun on it before. */
  readonly isNew?: boolean;
  /** Claimed after a start: an earlier process may have worked on it, and steered in messages that wait after it. */
  readonly isResumed?: boolean;
  /** The number of messages that waited after it when the turn before it ended. Absent: not counted. */
  readonly waiting?: number;
}
