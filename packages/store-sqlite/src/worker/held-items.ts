import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ItemWake } from "@banyan/plugin-sdk/store";
import { ITEM_WAKE } from "../database/code.ts";
import { readNumber } from "../database/column.ts";

/** Completions that wait for those of their siblings. */
export class HeldItems {
  readonly #free: StatementSync;
  readonly #freeAppended: StatementSync;
  readonly #ofRunIn: StatementSync;
  readonly #inLane: StatementSync;
  readonly #move: StatementSync;

  constructor(database: DatabaseSync) {
    this.#free = database.prepare("UPDATE items SET state = 0 WHERE state = 5 AND run_id = ? RETURNING lane_id");
    this.#freeAppended = database.prepare(
      `UPDATE items SET state = 0, wake = ${ITEM_WAKE.append} WHERE state = 5 AND run_id = ? RETURNING lane_id`,
    );
    this.#ofRunIn = database.prepare(
      "SELECT 1 FROM items INDEXED BY items_held_of_run WHERE state = 5 AND run_id = ? AND lane_id = ? AND wake IS NOT 1 LIMIT 1",
    );
    this.#inLane = database.prepare("SELECT 1 FROM items WHERE state = 5 AND lane_id = ? LIMIT 1");
    this.#move = database.prepare("UPDATE items SET lane_id = ? WHERE state = 5 AND lane_id = ? RETURNING seq");
  }

  /** All that a run holds waits now. The ids of the lanes. */
  free(runId: string, wake: ItemWake): ReadonlySet<number> {
    const statement = wake === "append" ? this.#freeAppended : this.#free;
    return new Set(statement.all(runId).map((row) => readNumber(row.lane_id)));
  }

  hasOfRun(runId: string, laneId: number): boolean {
    return this.#ofRunIn.get(runId, laneId) !== undefined;
  }

  hasInLane(laneId: number): boolean {
    return this.#inLane.get(laneId) !== undefined;
  }

  /** What one lane holds another one holds. What moved, by `seq`. */
  move(fromLaneId: number, toLaneId: number): readonly number[] {
    return this.#move.all(toLaneId, fromLaneId).map((row) => readNumber(row.seq));
  }
}
