import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  decideDeath,
  decideProgress,
  decideShared,
  type ItemRow,
  type ItemState,
  isSuspect,
  type NewItem,
  type ReceivedItem,
} from "@banyan/store";
import { ITEM_KIND, ITEM_STATE, ITEM_WAKE, ITEM_WAKES } from "../database/code.ts";
import { type Row, readName, readNumber, readOptional, readOptionalText } from "../database/column.ts";
import { prepareRows } from "../database/row-statement.ts";
import { ITEM_COLUMNS, ITEM_SOURCE, readItemRow } from "../reads/item-row.ts";
import type { Sequence } from "./sequence.ts";

export interface ItemPlace {
  readonly laneId: number | undefined;
  readonly state: ItemState;
  readonly attempt: number;
  readonly body: string;
  /** Why access or a full lane refused it. */
  readonly refused?: string;
}

export interface TurnEnd {
  readonly epoch: number;
  readonly revision: number;
  /** What became of the run that it worked for. */
  readonly run?: TurnRunEnd;
}

export type TurnRunEnd = "ended" | "waiting";

/** In the order of their codes. */
const TURN_RUN_ENDS: readonly TurnRunEnd[] = ["ended", "waiting"];

/** What a step needs to know of an item before it writes. */
export interface ItemStanding {
  readonly laneId: number | undefined;
  readonly isCommand: boolean;
  readonly state: number;
  /** The turn that committed it. */
  readonly ended: TurnEnd | undefined;
}

type Amendment = NonNullable<ReceivedItem["amendment"]>;

/** Inputs of lanes. */
export class ItemTable {
  readonly #sequence: Sequence;
  readonly #find: StatementSync;
  readonly #findDuplicate: StatementSync;
  readonly #standing: StatementSync;
  readonly #insert: StatementSync;
  readonly #insertOfRun: StatementSync;
  readonly #activate: StatementSync;
  readonly #end: StatementSync;
  readonly #endOfRun: StatementSync;
  readonly #runId: StatementSync;
  readonly #waitingOfRun: StatementSync;
  readonly #stopOfRun: StatementSync;
  readonly #appendOfRun: StatementSync;
  readonly #holdOfRun: StatementSync;
  readonly #giveBack: StatementSync;
  readonly #appendAgain: StatementSync;
  readonly #amend: StatementSync;
  readonly #messageBody: StatementSync;
  readonly #move: StatementSync;
  readonly #claimable: StatementSync;
  readonly #prioritize: StatementSync;
  readonly #endWaiting: StatementSync;
  readonly #dead: StatementSync;
  readonly #activeDead: StatementSync;
  readonly #setCounts: StatementSync;

  constructor(database: DatabaseSync, sequence: Sequence) {
    this.#sequence = sequence;
    this.#find = database.prepare(`SELECT ${ITEM_COLUMNS} FROM ${ITEM_SOURCE} WHERE seq = ?`);
    this.#findDuplicate = prepareRows(database, "SELECT seq FROM items WHERE dedupe = ?");
    this.#standing = database.prepare(
      "SELECT lane_id, kind, state, ended_epoch, ended_revision, ended_run FROM items WHERE seq = ?",
    );
    this.#insert = database.prepare(
      `INSERT INTO items (seq, lane_id, dedupe, native_id, kind, state, address, attempt, refused, received_at, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    // Of its own, so that a plain message binds nothing that it does not have.
    this.#insertOfRun = database.prepare(
      `INSERT INTO items (seq, lane_id, dedupe, native_id, kind, state, address, attempt, refused, received_at, body,
         wake, run_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#activate = database.prepare("UPDATE items SET state = 1, attempt = attempt + 1 WHERE seq = ?");
    this.#end = database.prepare("UPDATE items SET state = ?, ended_epoch = ?, ended_revision = ? WHERE seq = ?");
    this.#endOfRun = database.prepare(
      "UPDATE items SET state = ?, ended_epoch = ?, ended_revision = ?, ended_run = ? WHERE seq = ?",
    );
    this.#runId = database.prepare("SELECT run_id FROM items WHERE seq = ?");
    const waiting = `WHERE state = 0 AND lane_id = ? AND run_id = ? AND wake IS NOT ${ITEM_WAKE.append}`;
    this.#waitingOfRun = database.prepare(`SELECT seq FROM items ${waiting}`);
    this.#stopOfRun = database.prepare(
      `UPDATE items SET state = ${ITEM_STATE.done} ${waiting} AND kind <> ${ITEM_KIND.completion}`,
    );
    this.#appendOfRun = database.prepare(
      `UPDATE items SET wake = ${ITEM_WAKE.append} ${waiting} AND kind = ${ITEM_KIND.completion}`,
    );
    this.#holdOfRun = database.prepare(
      `UPDATE items SET state = ${ITEM_STATE.held} ${waiting} AND kind = ${ITEM_KIND.completion} RETURNING seq`,
    );
    this.#giveBack = database.prepare("UPDATE items SET state = 0, attempt = attempt - ? WHERE seq = ?");
    this.#appendAgain = database.prepare(
      `UPDATE items SET state = 0, attempt = attempt - 1, wake = ${ITEM_WAKE.append} WHERE seq = ?`,
    );
    const message = `dedupe = ? AND kind = ${ITEM_KIND.message}`;
    this.#amend = database.prepare(`UPDATE items SET body = ? WHERE ${message} AND state = ${ITEM_STATE.waiting}`);
    this.#messageBody = database.prepare(`SELECT body FROM items WHERE ${message}`);
    this.#claimable = database.prepare(
      `SELECT 1 FROM items WHERE seq = ? AND lane_id = ? AND state = 0 AND kind <> 1
         AND NOT EXISTS (SELECT 1 FROM items WHERE state = 0 AND lane_id = ? AND kind = 1 AND seq < ?)`,
    );
    this.#endWaiting = database.prepare(
      `UPDATE items SET state = ${ITEM_STATE.done} WHERE seq = ? AND lane_id = ? AND state = 0
         AND kind = ${ITEM_KIND.message}`,
    );
    this.#prioritize = database.prepare(
      `UPDATE items SET priority = ? WHERE seq = ? AND lane_id = ? AND state = 0 AND kind = ${ITEM_KIND.message}`,
    );
    this.#dead = database.prepare("SELECT attempt, deaths, wake FROM items WHERE seq = ? AND deaths > 0");
    this.#activeDead = database.prepare(
      "SELECT deaths, wake FROM lanes JOIN items ON items.seq = lanes.claim_seq WHERE owner IS NOT NULL AND deaths > 0",
    );
    this.#setCounts = database.prepare("UPDATE items SET attempt = ?, deaths = ? WHERE seq = ?");
    this.#move = database.prepare("UPDATE items SET lane_id = ? WHERE state = 0 AND lane_id = ? RETURNING seq");
  }

  find(seq: number): ItemRow | undefined {
    const row = this.#find.get(seq);
    return row === undefined ? undefined : readItemRow(row);
  }

  findDuplicate(dedupe: string): number | undefined {
    const row = this.#findDuplicate.get(dedupe);
    return row === undefined ? undefined : readNumber(row[0]);
  }

  findStanding(seq: number): ItemStanding | undefined {
    const row = this.#standing.get(seq);
    if (row === undefined) return undefined;
    return {
      laneId: row.lane_id === null ? undefined : readNumber(row.lane_id),
      isCommand: row.kind === ITEM_KIND.command,
      state: readNumber(row.state),
      ended:
        row.ended_epoch === null
          ? undefined
          : {
              epoch: readNumber(row.ended_epoch),
              revision: readNumber(row.ended_revision),
              ...readOptional("run", row.ended_run, (value) => readName(TURN_RUN_ENDS, value)),
            },
    };
  }

  insert(item: NewItem, place: ItemPlace, nowMs: number): number {
    const seq = this.#sequence.take();
    const { dedupe, nativeId, address, wake, runId } = item;
    const { laneId = null, attempt, refused = null, body } = place;
    const kind = ITEM_KIND[item.kind];
    const state = ITEM_STATE[place.state];
    if (wake !== "append" && runId === undefined) {
      this.#insert.run(seq, laneId, dedupe, nativeId, kind, state, address, attempt, refused, nowMs, body);
      return seq;
    }
    const code = wake === "append" ? ITEM_WAKE.append : null;
    const plain = [seq, laneId, dedupe, nativeId, kind, state, address, attempt, refused, nowMs, body];
    this.#insertOfRun.run(...plain, code, runId ?? null);
    return seq;
  }

  activate(seq: number): void {
    this.#activate.run(seq);
  }

  /** `turn`: the turn that commits it; left out where something else ends it. */
  end(seq: number, state: "done" | "quarantined", turn: TurnEnd | undefined): void {
    if (turn?.run !== undefined) {
      this.#endOfRun.run(ITEM_STATE[state], turn.epoch, turn.revision, TURN_RUN_ENDS.indexOf(turn.run), seq);
      return;
    }
    this.#end.run(ITEM_STATE[state], turn?.epoch ?? null, turn?.revision ?? null, seq);
  }

  findRunId(seq: number): string | undefined {
    return readOptionalText(this.#runId.get(seq)?.run_id ?? null);
  }

  /** What the agent is still to be asked for a run. */
  listWaitingOfRun(laneId: number, runId: string): readonly number[] {
    return this.#waitingOfRun.all(laneId, runId).map((row) => readNumber(row.seq));
  }

  /** What waits in a lane for a run is done; completions are only written down. */
  stopWaiting(laneId: number, runId: string): void {
    this.#stopOfRun.run(laneId, runId);
    this.#appendOfRun.run(laneId, runId);
  }

  /** Completions that wait in a lane for a run are held. Their `seq`. */
  holdCompletions(laneId: number, runId: string): readonly number[] {
    return this.#holdOfRun.all(laneId, runId).map((row) => readNumber(row.seq));
  }

  /** The active item waits again, in its old place. */
  giveBack(seq: number, attempts: 0 | 1): void {
    this.#giveBack.run(attempts, seq);
  }

  /** The active item waits again, in its old place, only to be written down. */
  appendAgain(seq: number): void {
    this.#appendAgain.run(seq);
  }

  /** The process died while it was active: it waits again, in its old place. */
  countDeath(seq: number): void {
    const item = this.find(seq);
    if (item === undefined) return;
    const { attempt, deaths } = decideDeath(item);
    this.#setCounts.run(attempt, deaths, seq);
    this.giveBack(seq, 0);
  }

  /** The active item's turn has made progress. */
  noteProgress(seq: number): void {
    const row = this.#dead.get(seq);
    if (row === undefined) return;
    const { attempt, deaths } = decideProgress({ attempt: readNumber(row.attempt), deaths: readNumber(row.deaths) });
    this.#setCounts.run(attempt, deaths, seq);
  }

  /** An item that waits in the lane and is no command is taken along by the active one; anything else is left alone. */
  shareDeaths(laneId: number, seq: number, activeSeq: number): void {
    const standing = this.findStanding(seq);
    const item = this.find(seq);
    const active = this.find(activeSeq);
    if (item === undefined || active === undefined || standing?.laneId !== laneId) return;
    if (item.state !== "waiting" || standing.isCommand) return;
    this.#setCounts.run(item.attempt, decideShared(item, active), seq);
  }

  /** Whether it and an item whose turn runs are suspects. */
  isBesideSuspect(seq: number): boolean {
    const row = this.#dead.get(seq);
    return row !== undefined && isSuspect(readSuspicion(row)) && this.#hasActiveSuspect();
  }

  #hasActiveSuspect(): boolean {
    return this.#activeDead.all().some((row) => isSuspect(readSuspicion(row)));
  }

  /** Whether it waits in the lane, is no command and stands behind none. */
  isClaimable(laneId: number, seq: number): boolean {
    return this.#claimable.get(seq, laneId, laneId, seq) !== undefined;
  }

  /** A message that waits in the lane is done; anything else is left alone. */
  endWaitingMessage(laneId: number, seq: number): void {
    this.#endWaiting.run(seq, laneId);
  }

  /** Of a message that waits in the lane. */
  prioritize(laneId: number, seq: number, priority: number): void {
    this.#prioritize.run(priority, seq, laneId);
  }

  /** Answers whether it was a message that waits. */
  amend({ dedupe, body }: Amendment): boolean {
    return this.#amend.run(body, dedupe).changes === 1;
  }

  /** Whether the message reads so. */
  isAmended({ dedupe, body }: Amendment): boolean {
    return this.#messageBody.get(dedupe)?.body === body;
  }

  /** What waits in one lane waits in another. What moved. */
  moveWaiting(fromLaneId: number, toLaneId: number): number[] {
    return this.#move.all(toLaneId, fromLaneId).map((row) => readNumber(row.seq));
  }
}

function readSuspicion({ deaths, wake }: Row): Pick<ItemRow, "deaths" | "wake"> {
  return { deaths: readNumber(deaths), ...readOptional("wake", wake, (value) => readName(ITEM_WAKES, value)) };
}
