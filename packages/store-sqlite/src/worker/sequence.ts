import type { DatabaseSync } from "node:sqlite";
import { readNumber } from "../database/column.ts";

/** The one count of items and deliveries. Never falls, also when the newest rows were pruned. */
export class Sequence {
  readonly #save: () => void;
  #last: number;

  constructor(database: DatabaseSync) {
    const found = database
      .prepare(
        `SELECT max(coalesce((SELECT value FROM meta WHERE name = 'last_pos'), 0),
          coalesce((SELECT max(seq) FROM items), 0), coalesce((SELECT max(pos) FROM deliveries), 0)) AS last`,
      )
      .get();
    this.#last = readNumber(found?.last);
    const save = database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('last_pos', ?)");
    this.#save = () => {
      save.run(this.#last);
    };
  }

  /** The place that `take` would give. */
  peek(): number {
    return this.#last + 1;
  }

  take(): number {
    this.#last += 1;
    return this.#last;
  }

  /** To be called in a transaction that removes rows. */
  save(): void {
    this.#save();
  }
}
