import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A hot query whose rows are read by the places of their columns: as an object with names a row costs three times as much. */
export function prepareRows(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}
