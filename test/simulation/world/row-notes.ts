import type { StatementSync } from "node:sqlite";
import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { type Row, readNumber } from "../../../packages/store-sqlite/src/database/column.ts";

export type Key = number | string;

/**
 * Notes which rows of a table were written since it was asked last, and reads those again. The triggers fire in the middle
 * of a statement, where no other may run: they only note the column that never changes of a row.
 */
export class RowNotes {
  readonly #keys = new Set<Key>();
  readonly #statement: StatementSync;
  readonly #take: (key: Key, row: Row | undefined) => void;

  constructor(
    { database }: InlineDatabase,
    table: { readonly name: string; readonly key: string; readonly columns: string; readonly source?: string },
    take: (key: Key, row: Row | undefined) => void,
  ) {
    const { name, key, columns, source = name } = table;
    this.#take = take;
    this.#statement = database.prepare(`SELECT ${columns} FROM ${source} WHERE ${key} = ?`);
    const note = `note_${name}`;
    database.function(note, { directOnly: false }, (noted) => {
      if (typeof noted === "number" || typeof noted === "string") this.#keys.add(noted);
      return null;
    });
    for (const [event, row] of [
      ["INSERT", "NEW"],
      ["UPDATE", "NEW"],
      ["DELETE", "OLD"],
    ])
      database.exec(
        `CREATE TEMP TRIGGER ${note}_${event} AFTER ${event} ON main.${name} BEGIN SELECT ${note}(${row}.${key}); END`,
      );
    for (const stored of database.prepare(`SELECT ${key} AS key FROM ${name} ORDER BY 1`).all())
      this.#keys.add(typeof stored.key === "string" ? stored.key : readNumber(stored.key));
  }

  refresh(): void {
    if (this.#keys.size === 0) return;
    for (const key of this.#keys) this.#take(key, this.#statement.get(key));
    this.#keys.clear();
  }

  clear(): void {
    this.#keys.clear();
  }
}
