import type { Log } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/plugin-sdk/store";

/** Commands under way: those of one lane in order, lanes beside each other. */
export class CommandLanes {
  readonly #run: (item: ItemRow) => Promise<void>;
  readonly #log: Log;
  readonly #tails = new Map<string, Promise<void>>();
  readonly #underWay = new Set<number>();

  constructor(run: (item: ItemRow) => Promise<void>, log: Log) {
    this.#run = run;
    this.#log = log;
  }

  run(item: ItemRow): void {
    const { lane, seq } = item;
    if (this.#underWay.has(seq)) return;
    this.#underWay.add(seq);
    const before = this.#tails.get(lane) ?? Promise.resolve();
    const tail = before
      .then(() => this.#run(item))
      // It is still in the store: the next start takes it up.
      .catch((error: unknown) => this.#log.error({ err: error, lane, seq }, "a command failed in the host"))
      .then(() => {
        this.#underWay.delete(seq);
        if (this.#tails.get(lane) === tail) this.#tails.delete(lane);
      });
    this.#tails.set(lane, tail);
  }

  async settled(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
