import { statSync } from "node:fs";
import { getDatabasePath } from "../database/open-database.ts";
import { BrokenConnection } from "./batch-runner.ts";

/** What is stored in removed files is lost with the process. Two checks cost some microseconds. */
const CHECK_EVERY_MS = 100;

/** Whether the database and its log are still the files that were opened. */
export class FileWatch {
  readonly #paths: readonly [database: string, log: string];
  readonly #opened: readonly (string | undefined)[];
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  /** Create it once the database is open: its log exists then. */
  constructor(stateDir: string) {
    const path = getDatabasePath(stateDir);
    this.#paths = [path, `${path}-wal`];
    this.#opened = this.#paths.map(identifyFile);
  }

  /** Whether the database itself is still the file that was opened. */
  get isDatabaseThere(): boolean {
    return identifyFile(this.#paths[0]) === this.#opened[0];
  }

  /** Call it before steps are acknowledged; it checks when the last check is old. Throws `BrokenConnection`. */
  check(nowMs: number): void {
    const ageMs = nowMs - this.#checkedAtMs;
    // A negative age: the clock was set back.
    if (ageMs >= 0 && ageMs < CHECK_EVERY_MS) return;
    this.#checkedAtMs = nowMs;
    const changed = this.#paths.find((path, index) => identifyFile(path) !== this.#opened[index]);
    if (changed === undefined) return;
    throw new BrokenConnection("lost", `${changed} was removed or replaced while it was in use`);
  }
}

/** Answers which file has the name; `undefined`: none. */
export function identifyFile(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
