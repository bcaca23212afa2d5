const CHILD = /^agent:[^:]*:(?:subagent|acp):/;

/**
 * Places for the turns of sub-agents. A turn that waits for something releases its place until then, so that parents that
 * wait never block their children.
 */
export class ChildPlaces {
  readonly #most: number;
  readonly #onFree: () => void;
  #taken = 0;
  /** Turns that wait to have a place again, in order. They come before new ones. */
  readonly #returning: (() => void)[] = [];

  constructor(most: number, onFree: () => void) {
    this.#most = most;
    this.#onFree = onFree;
  }

  get isFree(): boolean {
    return this.#taken < this.#most && this.#returning.length === 0;
  }

  /** Takes a place even beyond the limit: a turn that was claimed already is not refused. */
  take(): ChildPlace {
    this.#taken += 1;
    let state: "taken" | "resting" | "left" = "taken";
    let waits = 0;
    const release = () => {
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
        if (hadPlace) release();
      },
      rest: async (work) => {
        waits += 1;
        if (state === "taken") {
          state = "resting";
          release();
        }
        try {
          return await work();
        } finally {
          waits -= 1;
          // While another call of the turn waits, it needs no place.
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

/** The place of one turn. */
export interface ChildPlace {
  /** Called once, when the turn has ended. */
  leave(): void;
  /** Settles as the work does, once there is a place again. If the turn has ended by then, without one. */
  rest<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Whether it is the lane of a sub-agent. By its key only, because this is called for each message. */
export function isChildLane(lane: string): boolean {
  return CHILD.test(lane);
}
