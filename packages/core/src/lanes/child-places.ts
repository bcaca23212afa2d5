const CHILD = /^agent:[^:]*:(?:subagent|acp):/;

/**
 * Places for the turns of sub-agents. A turn that waits for something of its own gives its place back meanwhile, so that
 * parents that wait never keep their children from running.
 */
export class ChildPlaces {
  readonly #most: number;
  readonly #onFree: () => void;
  #taken = 0;
  /** Turns that want their place back, in order; they come before new ones. */
  readonly #returning: (() => void)[] = [];

  constructor(most: number, onFree: () => void) {
    this.#most = most;
    this.#onFree = onFree;
  }

  get isFree(): boolean {
    return this.#taken < this.#most && this.#returning.length === 0;
  }

  /** Also beyond the limit: a turn that was claimed already is not sent away. */
  take(): ChildPlace {
    this.#taken += 1;
    let state: "taken" | "resting" | "left" = "taken";
    let waits = 0;
    const giveBack = () => {
      this.#taken -= 1;
      this.#admit();
      this.#onFree();
    };
    const takeAgain = () => {
      if (state !== "resting") return;
      this.#taken += 1;
      state = "taken";
    };
    return {
      leave() {
        const hadPlace = state === "taken";
        state = "left";
        if (hadPlace) giveBack();
      },
      rest: async (work) => {
        waits += 1;
        if (state === "taken") {
          state = "resting";
          giveBack();
        }
        try {
          return await work();
        } finally {
          waits -= 1;
          // Beside another call that waits there is no need of a place yet.
          if (waits === 0 && state === "resting") await this.#awaitPlace(takeAgain);
        }
      },
    };
  }

  async #awaitPlace(take: () => void): Promise<void> {
    if (this.isFree) take();
    else {
      await new Promise<void>((resolve) => {
        this.#returning.push(() => {
          take();
          resolve();
        });
      });
    }
  }

  #admit(): void {
    while (this.#taken < this.#most) {
      const admit = this.#returning.shift();
      if (admit === undefined) return;
      admit();
    }
  }
}

/** One turn's place. */
export interface ChildPlace {
  /** The turn is over. Called once. */
  leave(): void;
  /** Resolves as the work does, when there is a place again; without one where the turn is over by then. */
  rest<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Whether it is a sub-agent's, by its key alone: it is asked with each message. */
export function isChildLane(lane: string): boolean {
  return CHILD.test(lane);
}
