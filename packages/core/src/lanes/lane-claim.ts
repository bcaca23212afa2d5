import type { Claim } from "@banyan/store";

/** A claimed lane on its way to a turn. */
export interface LaneClaim extends Claim {
  /** The item was stored by the very step that claimed it: no turn has begun on it before, so none has left anything. */
  readonly isNew?: boolean;
  /** Taken up at a start: an earlier process may have been at work on it, and told it of what waits behind. */
  readonly isResumed?: boolean;
  /** Messages behind it that the turn before it has seen; absent: nobody has counted. */
  readonly waiting?: number;
}
