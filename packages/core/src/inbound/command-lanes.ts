import type { Log } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/plugin-sdk/store";

/** Commands under way: those of one lane in order, lanes beside each other. */
export class CommandLanes {
  readonly #settle: (item: ItemRow) => Promise<void>;
  readonly #log: Log;
  readonly #tails = new Map<string, Promise<void>>();
  readonly #underWay = new Map<string, Set<number>>();

  constructor(settle: (item: ItemRow) => Promise<void>, log: Log) {
    this.#settle = settle;
    this.#log = log;
  }

  run(item: ItemRow): void {
    const { lane, seq } = item;
    const underWay = this.#underWay.get(lane) ?? new Set<number>();
    if (underWay.has(seq)) return;
    this.#underWay.set(lane, underWay.add(seq));
    const before = this.#tails.get(lane) ?? Promise.resolve();
    const tail = before
      .then(() => this.#settle(item))
      // It is still in the store: the next start takes it up.
      .catch((error: unknown) => this.#log.error({ err: error, lane, seq }, "a command is left to the next start"))
      .then(() => {
        underWay.delete(seq);
        if (this.#tails.get(lane) !== tail) return;
        this.#tails.delete(lane);
        this.#underWay.delete(lane);
      });
    this.#tails.set(lane, tail);
  }

  /** Lanes with a command that runs or waits. */
  get size(): number {
    return this.#tails.size;
  }

  /** Commands of the lane that run or wait in this process. */
  count(lane: string): number {
    return this.#underWay.get(lane)?.size ?? 0;
  }

  async settled(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
