import type { DatabaseSync } from "node:sqlite";
import { readNumber } from "../database/column.ts";

/** The one count of items and deliveries. Never falls, also when the newest rows were pruned. */
export class Sequence {
  readonly #save: () => void;
  readonly #read: () => number;
  #present: number | undefined;

  constructor(database: DatabaseSync) {
    const read = database.prepare(
      `SELECT max(coalesce((SELECT value FROM meta WHERE name = 'last_pos'), 0),
        coalesce((SELECT max(seq) FROM items), 0), coalesce((SELECT max(pos) FROM deliveries), 0)) AS last`,
    );
    this.#read = () => readNumber(read.get()?.last);
    const save = database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('last_pos', ?)");
    this.#save = () => {
      save.run(this.#get());
    };
  }

  /** The place that `take` would give. */
  peek(): number {
    return this.#get() + 1;
  }

  take(): number {
    this.#present = this.#get() + 1;
    return this.#present;
  }

  /** To be called in a transaction that removes rows. */
  save(): void {
    this.#save();
  }

  /** As a new process begins: what the rows say is looked up again. */
  forget(): void {
    this.#present = undefined;
  }

  #get(): number {
    this.#present ??= this.#read();
    return this.#present;
  }
}
