import { openReadOnly } from "../database/open-database.ts";
import { classifySqliteError, formatCause } from "../database/sqlite-error.ts";
import type { CheckEnd } from "./keeper-message.ts";

/** Looks through the file, whatever happens. */
export function checkFile(stateDir: string): CheckEnd {
  try {
    return { type: "checked", damage: findSqliteDamage(stateDir) };
  } catch (error) {
    return { type: "failed", cause: formatCause(error) };
  }
}

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
