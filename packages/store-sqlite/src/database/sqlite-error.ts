/** SQLite's primary result codes that decide something here (sqlite.org/rescode.html). */
const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
/** NOMEM, READONLY, IOERR, CANTOPEN: what the last commit left on the disk is not known. */
const BROKEN: ReadonlySet<number> = new Set([7, 8, 10, 14]);

/** `busy` and `full` leave the store alive; `corrupt` and `broken` end it; `other` is a fault of the step itself. */
export type SqliteFailure = "busy" | "full" | "corrupt" | "broken" | "other";

export function classifySqliteError(error: unknown): SqliteFailure {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return "other";
  const code = error.errcode & 0xff;
  if (code === BUSY) return "busy";
  if (code === FULL) return "full";
  if (code === CORRUPT || code === NOT_A_DATABASE) return "corrupt";
  return BROKEN.has(code) ? "broken" : "other";
}

export function formatCause(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
