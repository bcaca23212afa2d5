import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { NewDelivery } from "@banyan/store";
import { DELIVERY_KIND, DELIVERY_POLICY, DELIVERY_STATE } from "../database/code.ts";
import { readNumber } from "../database/column.ts";
import type { Sequence } from "./sequence.ts";

const RETRIABLE: readonly number[] = [
  DELIVERY_STATE.undeliverable,
  DELIVERY_STATE.unknown,
  DELIVERY_STATE.stuck,
  DELIVERY_STATE.pending,
];

export interface DeliveryStanding {
  readonly pos: number;
  readonly state: number;
  readonly attempts: number;
  readonly owner: string | undefined;
}

/** The outbox, and what keeps notices quiet. */
export class DeliveryTable {
  readonly #sequence: Sequence;
  readonly #insert: StatementSync;
  readonly #standing: StatementSync;
  readonly #exists: StatementSync;
  readonly #quiet: StatementSync;
  readonly #setQuiet: StatementSync;
  readonly #giveUp: StatementSync;
  readonly #claim: StatementSync;
  readonly #requeue: StatementSync;

  constructor(database: DatabaseSync, sequence: Sequence) {
    this.#sequence = sequence;
    this.#insert = database.prepare(
      `INSERT INTO deliveries (pos, id, delivery_id, part, parts, kind, channel, account, address, chat, session_key,
         policy, state, attempts, maybe_repeated, owner, next_at, quiet_key, created_at, body, run_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    );
    this.#standing = database.prepare("SELECT pos, state, attempts, owner FROM deliveries WHERE id = ?");
    this.#exists = database.prepare("SELECT 1 FROM deliveries WHERE id = ?");
    this.#quiet = database.prepare("SELECT written_at FROM quiets WHERE key = ?");
    this.#setQuiet = database.prepare("INSERT OR REPLACE INTO quiets (key, pos, written_at) VALUES (?, ?, ?)");
    // Rare: the insert of all others does without it.
    this.#giveUp = database.prepare("UPDATE deliveries SET state = ?, error = ? WHERE pos = ?");
    // The first one has it: another is written without.
    this.#claim = database.prepare("UPDATE OR IGNORE deliveries SET claims = ? WHERE pos = ?");
    this.#requeue = database.prepare(
      `UPDATE deliveries SET state = ${DELIVERY_STATE.pending}, attempts = 0, next_at = ?, is_dropped = NULL,
         maybe_repeated = maybe_repeated OR state = ${DELIVERY_STATE.unknown} WHERE pos = ?`,
    );
  }

  findStanding(id: string): DeliveryStanding | undefined {
    const row = this.#standing.get(id);
    if (row === undefined) return undefined;
    return {
      pos: readNumber(row.pos),
      state: readNumber(row.state),
      attempts: readNumber(row.attempts),
      owner: typeof row.owner === "string" ? row.owner : undefined,
    };
  }

  has(id: string): boolean {
    return this.#exists.get(id) !== undefined;
  }

  /** Makes a row that waits or has failed due at once. Whether it was one. */
  retry(id: string, nowMs: number): boolean {
    const row = this.findStanding(id);
    if (row === undefined || !RETRIABLE.includes(row.state)) return false;
    this.#requeue.run(nowMs, row.pos);
    return true;
  }

  /** The ids of the step's rows that stand in the store afterwards. */
  insertAll(deliveries: readonly NewDelivery[], nowMs: number): string[] {
    const stand = deliveries.map((delivery) => this.insert(delivery, nowMs));
    // A row that its quiet key kept out may have been written by another one of the same id.
    return deliveries.filter(({ id }, index) => stand[index] === true || this.has(id)).map(({ id }) => id);
  }

  /** Answers whether the row stands in the store; a quiet key may keep it out. */
  insert(delivery: NewDelivery, nowMs: number): boolean {
    const { quiet } = delivery;
    if (quiet !== undefined && this.#isQuiet(quiet.key, quiet.ms, nowMs)) {
      return this.has(delivery.id);
    }
    const pos = this.#sequence.peek();
    const { undeliverable } = delivery;
    const isBornSending = delivery.sendingOwner !== undefined && undeliverable === undefined;
    const { changes } = this.#insert.run(
      pos,
      delivery.id,
      delivery.deliveryId,
      delivery.part,
      delivery.of,
      DELIVERY_KIND[delivery.kind],
      delivery.channel,
      delivery.account,
      delivery.address,
      delivery.chat,
      delivery.sessionKey ?? null,
      DELIVERY_POLICY[delivery.policy],
      isBornSending ? DELIVERY_STATE.sending : DELIVERY_STATE.pending,
      isBornSending ? 1 : 0,
      isBornSending ? (delivery.sendingOwner ?? null) : null,
      nowMs,
      quiet?.key ?? null,
      nowMs,
      delivery.body,
      delivery.runId ?? null,
    );
    if (changes === 0) return true;
    this.#sequence.take();
    if (quiet !== undefined) this.#setQuiet.run(quiet.key, pos, nowMs);
    if (delivery.claims !== undefined) this.#claim.run(delivery.claims, pos);
    if (undeliverable !== undefined) this.#giveUp.run(DELIVERY_STATE.undeliverable, undeliverable, pos);
    return true;
  }

  #isQuiet(key: string, ms: number, nowMs: number): boolean {
    const row = this.#quiet.get(key);
    if (row === undefined) return false;
    // What was written in what is now the future keeps nothing quiet: the clock was set back.
    const passedMs = nowMs - readNumber(row.written_at);
    return passedMs >= 0 && passedMs < ms;
  }
}
