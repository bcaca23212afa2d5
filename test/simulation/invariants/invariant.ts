import type { Observation } from "../world/observation.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { WorldClock } from "../world/world-clock.ts";

/** What an invariant may look at beside what it is told. */
export interface Grounds {
  readonly data: StoreMirror;
  readonly clock: WorldClock;
  readonly lastTroubleMs: number;
}

/** A promise that must hold at every moment; one object for each world. */
export interface Invariant {
  /** As in the list of promises, such as `I9`. */
  readonly name: string;
  /** The sentence that says what is broken, if anything is. */
  observe(observation: Observation, grounds: Grounds): string | undefined;
}
