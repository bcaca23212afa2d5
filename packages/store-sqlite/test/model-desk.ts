import type { Step, StepResult, Store } from "@banyan/store";
import type { ModelSubject } from "@banyan/store/suite";
import { createInlineStore, type InlineDatabase, openInlineDatabase } from "@banyan/store-sqlite/inline";
import { createManualClock } from "./manual-clock.ts";

/** What must find nothing: a lane or an item that is not as the rows it is derived from say. */
const DISAGREEMENTS: readonly string[] = [
  `SELECT lane || ' is ready at ' || coalesce(ready_seq, 'nothing') FROM lanes WHERE ready_seq IS NOT iif(owner IS NULL,
     (SELECT iif(kind = 1, NULL, seq) FROM items WHERE state = 0 AND lane_id = lanes.id ORDER BY seq LIMIT 1), NULL)`,
  `SELECT 'item ' || seq || ' is active in no lane' FROM items WHERE state = 1 AND NOT EXISTS
     (SELECT 1 FROM lanes WHERE lanes.id = lane_id AND owner IS NOT NULL AND claim_seq = seq)`,
  `SELECT lane || ' runs an item that is not active' FROM lanes WHERE owner IS NOT NULL AND NOT EXISTS
     (SELECT 1 FROM items WHERE seq = claim_seq AND lane_id = lanes.id AND state = 1)`,
  `SELECT 'item ' || seq || ' is held for nothing' FROM items
     WHERE (state = 5) IS NOT EXISTS (SELECT 1 FROM held WHERE item_seq = seq)`,
];

/** A store on a database in memory, for random steps. Notes how each kind of step has ended. */
export class ModelDesk implements ModelSubject {
  readonly ends: Set<string> = new Set();
  store: Store;
  readonly #data: InlineDatabase = openInlineDatabase();
  readonly #clock = createManualClock();
  readonly #disagreements: readonly (() => readonly unknown[])[];

  constructor() {
    const { database } = this.#data;
    this.#disagreements = DISAGREEMENTS.map((sql) => {
      const found = database.prepare(sql);
      return () => found.all().flatMap((row) => Object.values(row));
    });
    this.store = this.#open();
  }

  async clear(): Promise<void> {
    this.#data.clear();
    await this.reopen();
  }

  async reopen(): Promise<void> {
    await this.store.close();
    this.store = this.#open();
  }

  dump(): Uint8Array {
    return this.#data.database.serialize();
  }

  recount(): readonly string[] {
    return this.#disagreements.flatMap((find) => find()).map(String);
  }

  close(): void {
    this.#data.close();
  }

  #open(): Store {
    const { ends } = this;
    const inner = createInlineStore({ data: this.#data, clock: this.#clock });
    return {
      ...inner,
      async commit<S extends Step>(step: S): Promise<StepResult<S>> {
        const result = await inner.commit(step);
        const run = "run" in result && typeof result.run === "string" ? ` run ${result.run}` : "";
        ends.add(`${step.step} ${result.status}${"reason" in result ? ` ${result.reason}` : ""}${run}`);
        return result;
      },
    };
  }
}
