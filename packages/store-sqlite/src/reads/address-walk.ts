import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Row, readNumber } from "../database/column.ts";

/** As the third schema cuts the numbers of items and deliveries. */
const PIECE_BITS = 10;

/** The rows of one table at one address, found piece by piece. */
export interface AddressWalk {
  /** The newest ones, the newest first. */
  newest(address: string, limit: number): readonly Row[];
  /** Those behind a number, in order. `more`: for the filter's own places. */
  after(address: string, pos: number, limit: number, ...more: string[]): readonly Row[];
}

export interface WalkedTable {
  readonly table: "items" | "deliveries";
  /** The table's number. */
  readonly key: "seq" | "pos";
  readonly columns: string;
  /** What else must be true, and allows the use of the index. */
  readonly filter: string;
}

export function createAddressWalk(database: DatabaseSync, walked: WalkedTable): AddressWalk {
  const { table, key, columns, filter } = walked;
  const from = `SELECT ${columns} FROM ${table} WHERE ${key} >> ${PIECE_BITS} = ? AND address = ? AND ${filter}`;
  const backwards = database.prepare(`${from} ORDER BY ${key} DESC LIMIT ?`);
  const forwards = database.prepare(`${from} AND ${key} > ? ORDER BY ${key} LIMIT ?`);
  const first = database.prepare(`SELECT min(${key}) AS pos FROM ${table}`);
  const last = database.prepare(`SELECT max(${key}) AS pos FROM ${table}`);

  return {
    newest(address, limit) {
      const rows: Row[] = [];
      const lowest = findPiece(first);
      for (let piece = findPiece(last); piece >= lowest && rows.length < limit; piece -= 1) {
        rows.push(...backwards.all(piece, address, limit - rows.length));
      }
      return rows;
    },
    after(address, pos, limit, ...more) {
      const rows: Row[] = [];
      const highest = findPiece(last);
      for (let piece = Math.max(pieceOf(pos), findPiece(first)); piece <= highest && rows.length < limit; piece += 1) {
        rows.push(...forwards.all(piece, address, ...more, pos, limit - rows.length));
      }
      return rows;
    },
  };
}

/** The numbers never fall and stay far below the 2^53 that a division is exact for. */
function pieceOf(pos: number): number {
  return Math.floor(pos / 2 ** PIECE_BITS);
}

/** Of an empty table: the first one. */
function findPiece(bound: StatementSync): number {
  const pos = bound.get()?.pos;
  return pos === null || pos === undefined ? 0 : pieceOf(readNumber(pos));
}
