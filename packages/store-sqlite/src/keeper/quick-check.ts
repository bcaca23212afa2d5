import { openReadOnly } from "../database/open-database.ts";
import { classifySqliteError, formatCause } from "../database/sqlite-error.ts";

/** Looks through the whole database file. Answers what is damaged; `undefined`: nothing. */
export function findSqliteDamage(stateDir: string): string | undefined {
  const database = openReadOnly(stateDir);
  try {
    const found = database
      .prepare("PRAGMA quick_check(5)")
      .all()
      .map((row) => String(row.quick_check));
    return found.length === 1 && found[0] === "ok" ? undefined : found.join("; ");
  } catch (error) {
    if (classifySqliteError(error) === "corrupt") return formatCause(error);
    throw error;
  } finally {
    database.close();
  }
}
