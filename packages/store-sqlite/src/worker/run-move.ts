import type { DatabaseSync } from "node:sqlite";
import { type MigrateChatStep, moveAddress } from "@banyan/store";
import { ITEM_KIND } from "../database/code.ts";
import { readNumber, readOptionalText, readText } from "../database/column.ts";

export interface RunMover {
  /** What names a session goes on under its new key. */
  moveKeys(from: string, to: string): void;
  /** The session that gets the completions among these items is the one that is told of their runs. */
  moveTold(itemSeqs: readonly number[], to: string): void;
  /** Where the chats of runs went. Counts the runs. */
  moveAddresses(addresses: MigrateChatStep["addresses"]): number;
}

const KEYS: readonly string[] = ["child_key", "requester_key", "root_key", "told_key"];

export function createRunMover(database: DatabaseSync): RunMover {
  const moveKeys = KEYS.map((key) => database.prepare(`UPDATE runs SET ${key} = ? WHERE ${key} = ?`));
  const moveTold = database.prepare(
    `UPDATE runs SET told_key = ? WHERE run_id =
       (SELECT substr(dedupe, length('completion|') + 1) FROM items WHERE seq = ? AND kind = ${ITEM_KIND.completion})`,
  );
  // An address itself, and the threads below it.
  const found = ["route", "target"].flatMap((column) =>
    [`${column} = ?`, `${column} > ? || '/' AND ${column} < ? || '0'`].map((place) => ({
      bounds: place.split("?").length - 1,
      statement: database.prepare(`SELECT pos, route, target FROM runs WHERE ${place}`),
    })),
  );
  const move = database.prepare("UPDATE runs SET route = ?, target = ? WHERE pos = ?");

  return {
    moveKeys(from, to) {
      for (const statement of moveKeys) statement.run(to, from);
    },
    moveTold(itemSeqs, to) {
      for (const seq of itemSeqs) moveTold.run(to, seq);
    },
    moveAddresses(addresses) {
      const rows = addresses.flatMap(({ from }) =>
        found.flatMap(({ bounds, statement }) => statement.all(...Array<string>(bounds).fill(from))),
      );
      const moved = new Map(rows.map((row) => [readNumber(row.pos), row]));
      let count = 0;
      for (const [pos, row] of moved) {
        const route = moveAddress(readText(row.route), addresses);
        const before = readOptionalText(row.target ?? null);
        const target = before === undefined ? null : moveAddress(before, addresses);
        if (route === row.route && target === row.target) continue;
        move.run(route, target, pos);
        count += 1;
      }
      return count;
    },
  };
}
