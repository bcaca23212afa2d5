/** A process as the rest of the world sees it. */
export interface Guest {
  readonly number: number;
  /** Whether the platforms talk with it; never again once a younger one has started. */
  readonly isLeader: boolean;
  readonly isDead: boolean;
  /** The process ends at once, as by a kill from outside. */
  die(): void;
  /** Lets something of the world reach the process: now, when it wakes, or never. */
  enter(run: () => void): void;
}
