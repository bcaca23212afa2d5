/** Timers of the store: armed, fired, ended. */
import type { NewDelivery } from "./new-rows.ts";

export interface NewTimer {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly dueInMs: number;
  /**
   * It waits for the turn of this item: it is due at once, as of its arming, where the item neither waits nor runs or is
   * only to be appended, then or later, however that came about.
   */
  readonly itemSeq?: number;
}

/**
 * A timer as it was read: a step that carries it is `already` where it was armed anew or is gone, before anything else
 * is looked at. Else it goes when the step is done, and also when the step is `already` for another reason.
 */
export interface FiredTimer {
  readonly id: string;
  readonly dueAtMs: number;
}

/**
 * Arms and ends timers. `fired` was done and goes, unless it was armed anew meanwhile. `deliveries` are written with it:
 * what the timer could not show by an edit.
 */
export interface SetTimersStep {
  readonly step: "set_timers";
  readonly fired?: FiredTimer;
  readonly arm: readonly NewTimer[];
  readonly end: readonly string[];
  readonly deliveries?: readonly NewDelivery[];
}
