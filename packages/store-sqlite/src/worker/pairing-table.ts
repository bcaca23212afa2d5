import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { NewPairing, PairingRow, PairingState } from "@banyan/store";
import { PAIRING_STATE, PAIRING_STATES } from "../database/code.ts";
import { readName, readNumber, readText } from "../database/column.ts";
import type { RouteRevision } from "./route-revision.ts";

type Sender = Pick<PairingRow, "channel" | "account" | "senderId">;

export interface PairingStanding {
  readonly id: number;
  readonly code: string;
  readonly state: PairingState;
}

/** Strangers and what the operator said of them. A pending one that has expired is as good as gone. */
export class PairingTable {
  readonly #revision: RouteRevision;
  readonly #find: StatementSync;
  readonly #countPending: StatementSync;
  readonly #remove: StatementSync;
  readonly #insert: StatementSync;
  readonly #setState: StatementSync;

  constructor(database: DatabaseSync, revision: RouteRevision) {
    this.#revision = revision;
    const sender = "channel = ? AND account = ? AND sender_id = ?";
    this.#find = database.prepare(
      `SELECT id, code, state FROM pairings WHERE ${sender} AND (state <> ${PAIRING_STATE.pending} OR expires_at > ?)`,
    );
    this.#countPending = database.prepare(
      `SELECT count(*) AS pending FROM pairings
       WHERE state = ${PAIRING_STATE.pending} AND channel = ? AND account = ? AND expires_at > ?`,
    );
    this.#remove = database.prepare(`DELETE FROM pairings WHERE ${sender}`);
    this.#insert = database.prepare(
      `INSERT INTO pairings (channel, account, sender_id, display_name, code, state, address, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ${PAIRING_STATE.pending}, ?, ?, ?)`,
    );
    this.#setState = database.prepare("UPDATE pairings SET state = ? WHERE id = ?");
  }

  find({ channel, account, senderId }: Sender, nowMs: number): PairingStanding | undefined {
    const row = this.#find.get(channel, account, senderId, nowMs);
    if (row === undefined) return undefined;
    return { id: readNumber(row.id), code: readText(row.code), state: readName(PAIRING_STATES, row.state) };
  }

  /** `full`: the account has as many pending ones as it may. */
  offer(pairing: NewPairing, nowMs: number): "new" | "standing" | "full" {
    if (this.find(pairing, nowMs) !== undefined) return "standing";
    const { channel, account, senderId, displayName, code, address, ttlMs, mostPending } = pairing;
    if (readNumber(this.#countPending.get(channel, account, nowMs)?.pending) >= mostPending) return "full";
    this.#remove.run(channel, account, senderId);
    this.#insert.run(channel, account, senderId, displayName ?? null, code, address, nowMs, nowMs + ttlMs);
    return "new";
  }

  setState(standing: PairingStanding, state: PairingState): void {
    this.#setState.run(PAIRING_STATE[state], standing.id);
    if (standing.state === "approved" || state === "approved") this.#revision.raise();
  }
}
