import type { DatabaseSync, StatementSync } from "node:sqlite";
import { readNumber, readOptionalText, readText } from "../database/column.ts";
import { prepareRows } from "../database/row-statement.ts";

export interface Lane {
  readonly id: number;
  readonly epoch: number;
  readonly owner: string | undefined;
  readonly claimId: string | undefined;
  /** The item of the latest claim: the active one while the lane has an owner. */
  readonly claimSeq: number | undefined;
  /** The first waiting item, where a claim would take it. */
  readonly readySeq: number | undefined;
  /** Whether anything waits in it, commands included. */
  readonly hasWaiting: boolean;
}

/** Whether somebody runs the turn of this epoch now. */
export function holdsFence(lane: Lane | undefined, epoch: number): lane is Lane {
  return lane !== undefined && lane.owner !== undefined && lane.epoch === epoch;
}

/** What waits in a lane. `messages`: everything that is no command. */
export interface Waiting {
  readonly messages: number;
  readonly commands: number;
}

const NOTHING: Waiting = { messages: 0, commands: 0 };

const FIRST_WAITING_IF_CLAIMABLE = `(
  SELECT CASE WHEN kind = 1 THEN NULL ELSE seq END FROM items
  WHERE state = 0 AND lane_id = lanes.id ORDER BY seq LIMIT 1
)`;

/** Who runs which lane. Every step that changes what waits in a lane nobody runs refreshes its `ready_seq`. */
export class LaneTable {
  readonly #find: StatementSync;
  readonly #open: StatementSync;
  readonly #waiting: StatementSync;
  readonly #take: StatementSync;
  readonly #free: StatementSync;
  readonly #freeEmpty: StatementSync;
  readonly #refresh: StatementSync;
  readonly #empty: StatementSync;
  readonly #raise: StatementSync;
  readonly #name: StatementSync;

  constructor(database: DatabaseSync) {
    this.#find = prepareRows(
      database,
      `SELECT id, epoch, owner, claim_id, claim_seq, ready_seq,
         EXISTS (SELECT 1 FROM items WHERE state = 0 AND lane_id = lanes.id) FROM lanes WHERE lane = ?`,
    );
    this.#open = database.prepare("INSERT INTO lanes (lane, epoch) VALUES (?, 0)");
    this.#waiting = prepareRows(
      database,
      `SELECT count(*) AS items, count(CASE WHEN kind = 1 THEN 1 END) AS commands FROM items
       WHERE state = 0 AND lane_id = ?`,
    );
    this.#take = database.prepare(
      `UPDATE lanes SET epoch = epoch + 1, owner = ?, claim_id = ?, claim_seq = ?, ready_seq = NULL WHERE id = ?`,
    );
    this.#free = database.prepare(
      `UPDATE lanes SET owner = NULL, ready_seq = ${FIRST_WAITING_IF_CLAIMABLE} WHERE id = ?`,
    );
    this.#freeEmpty = database.prepare("UPDATE lanes SET owner = NULL, ready_seq = NULL WHERE id = ?");
    this.#refresh = database.prepare(
      `UPDATE lanes SET ready_seq = ${FIRST_WAITING_IF_CLAIMABLE} WHERE id = ? AND owner IS NULL`,
    );
    this.#empty = database.prepare(
      `UPDATE lanes SET owner = NULL, epoch = epoch + (owner IS NOT NULL), claim_id = NULL, claim_seq = NULL,
         ready_seq = NULL WHERE id = ?`,
    );
    this.#name = database.prepare("SELECT lane FROM lanes WHERE id = ?");
    this.#raise = database.prepare("UPDATE lanes SET epoch = max(epoch, ?) WHERE id = ?");
  }

  find(lane: string): Lane | undefined {
    const row = this.#find.get(lane);
    if (row === undefined) return undefined;
    return {
      id: readNumber(row[0]),
      epoch: readNumber(row[1]),
      owner: readOptionalText(row[2] ?? null),
      claimId: readOptionalText(row[3] ?? null),
      claimSeq: row[4] === null ? undefined : readNumber(row[4]),
      readySeq: row[5] === null ? undefined : readNumber(row[5]),
      hasWaiting: row[6] === 1,
    };
  }

  open(lane: string): Lane {
    const found = this.find(lane);
    if (found !== undefined) return found;
    const id = Number(this.#open.run(lane).lastInsertRowid);
    const nobody = { owner: undefined, claimId: undefined, claimSeq: undefined, readySeq: undefined };
    return { id, epoch: 0, ...nobody, hasWaiting: false };
  }

  getName(id: number): string {
    return readText(this.#name.get(id)?.lane);
  }

  countWaiting(id: number): Waiting {
    const row = this.#waiting.get(id);
    const commands = readNumber(row?.[1]);
    return { commands, messages: readNumber(row?.[0]) - commands };
  }

  /** As it was when the lane was found. */
  countFound({ id, hasWaiting }: Lane): Waiting {
    return hasWaiting ? this.countWaiting(id) : NOTHING;
  }

  take(id: number, owner: string, claimId: string, itemSeq: number): void {
    this.#take.run(owner, claimId, itemSeq, id);
  }

  free(id: number): void {
    this.#free.run(id);
  }

  /** For a lane in which nothing waits. */
  freeEmpty(id: number): void {
    this.#freeEmpty.run(id);
  }

  /**
   * What was in the lane goes on elsewhere. The epoch that ran is over, and the claim can no longer be asked for, since
   * its item is gone.
   */
  empty(id: number): void {
    this.#empty.run(id);
  }

  /** The lane's turns are numbered on from an epoch at least. */
  raiseEpoch(id: number, epoch: number): void {
    this.#raise.run(epoch, id);
  }

  /** After items came or went while nobody runs the lane. */
  refresh(id: number): void {
    this.#refresh.run(id);
  }
}
