import type { Log } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/store";

export interface CommandLanesParts {
  settle(item: ItemRow): Promise<void>;
  /** Whether later commands of the lane begin before its end. */
  isPassed(item: ItemRow): boolean;
  readonly log: Log;
}

/** Commands under way: those of one lane in order but for those that are passed, lanes beside each other. */
export class CommandLanes {
  readonly #parts: CommandLanesParts;
  /** Behind what the next command of a lane stands. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #underWay = new Map<string, Map<number, Promise<void>>>();

  constructor(parts: CommandLanesParts) {
    this.#parts = parts;
  }

  /** Resolves when the command has ended, or is left to the next start. Never rejects. */
  run(item: ItemRow): Promise<void> {
    const { lane, seq } = item;
    const underWay = this.#underWay.get(lane) ?? new Map<number, Promise<void>>();
    const known = underWay.get(seq);
    if (known !== undefined) return known;
    this.#underWay.set(lane, underWay);
    const before = this.#tails.get(lane) ?? Promise.resolve();
    const end = before
      .then(() => this.#parts.settle(item))
      // It is still in the store: the next start takes it up.
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error, lane, seq }, "a command is left to the next start"),
      )
      .then(() => {
        underWay.delete(seq);
        if (this.#tails.get(lane) === end) this.#tails.delete(lane);
        if (underWay.size === 0 && this.#underWay.get(lane) === underWay) this.#underWay.delete(lane);
      });
    underWay.set(seq, end);
    if (!this.#parts.isPassed(item)) this.#tails.set(lane, end);
    return end;
  }

  /** Lanes with a command that runs or waits. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Commands of the lane that run or wait in this process. */
  count(lane: string): number {
    return this.#underWay.get(lane)?.size ?? 0;
  }

  async settled(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all([...this.#underWay.values()].flatMap((underWay) => [...underWay.values()]));
    }
  }
}
