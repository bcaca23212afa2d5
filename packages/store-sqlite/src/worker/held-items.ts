import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ItemWake } from "@banyan/store";
import { ITEM_STATE, ITEM_WAKE } from "../database/code.ts";
import { readNumber } from "../database/column.ts";

/** Completions that wait for those of their siblings. They stand in a table of their own too, since no plain item is there. */
export class HeldItems {
  readonly #add: StatementSync;
  readonly #remove: StatementSync;
  readonly #free: StatementSync;
  readonly #freeAppended: StatementSync;
  readonly #ofRunIn: StatementSync;
  readonly #inLane: StatementSync;
  readonly #move: StatementSync;
  readonly #moveItem: StatementSync;

  constructor(database: DatabaseSync) {
    this.#add = database.prepare("INSERT INTO held (item_seq, lane_id, holder) VALUES (?, ?, ?)");
    this.#remove = database.prepare("DELETE FROM held WHERE holder = ? RETURNING item_seq, lane_id");
    this.#free = database.prepare(`UPDATE items SET state = ${ITEM_STATE.waiting} WHERE seq = ?`);
    this.#freeAppended = database.prepare(
      `UPDATE items SET state = ${ITEM_STATE.waiting}, wake = ${ITEM_WAKE.append} WHERE seq = ?`,
    );
    this.#ofRunIn = database.prepare("SELECT 1 FROM held WHERE holder = ? AND lane_id = ? LIMIT 1");
    this.#inLane = database.prepare("SELECT 1 FROM held WHERE lane_id = ? LIMIT 1");
    this.#move = database.prepare("UPDATE held SET lane_id = ? WHERE lane_id = ? RETURNING item_seq");
    this.#moveItem = database.prepare("UPDATE items SET lane_id = ? WHERE seq = ?");
  }

  /** An item that was stored as `held`, and the run that holds it. */
  add(seq: number, laneId: number, runId: string): void {
    this.#add.run(seq, laneId, runId);
  }

  /** All that a run holds waits now. The ids of the lanes. */
  free(runId: string, wake: ItemWake): ReadonlySet<number> {
    const statement = wake === "append" ? this.#freeAppended : this.#free;
    const laneIds = new Set<number>();
    for (const row of this.#remove.all(runId)) {
      statement.run(readNumber(row.item_seq));
      laneIds.add(readNumber(row.lane_id));
    }
    return laneIds;
  }

  hasOfRun(runId: string, laneId: number): boolean {
    return this.#ofRunIn.get(runId, laneId) !== undefined;
  }

  hasInLane(laneId: number): boolean {
    return this.#inLane.get(laneId) !== undefined;
  }

  /** What is held in one lane is held in another one. What moved, by `seq`. */
  move(fromLaneId: number, toLaneId: number): readonly number[] {
    const seqs = this.#move.all(toLaneId, fromLaneId).map((row) => readNumber(row.item_seq));
    for (const seq of seqs) this.#moveItem.run(toLaneId, seq);
    return seqs;
  }
}
