import type { DatabaseSync, StatementSync } from "node:sqlite";
import { readNumber, readText } from "../database/column.ts";

/** What is asked of the runs that have not ended. Each question is answered by an index that holds no others. */
export class OpenRuns {
  readonly #countOfRequester: StatementSync;
  readonly #countOfRoot: StatementSync;
  readonly #idsOfRequester: StatementSync;
  readonly #idsOfParent: StatementSync;
  readonly #hasAwaited: StatementSync;
  readonly #hasOfChild: StatementSync;

  constructor(database: DatabaseSync) {
    const count = (column: string) =>
      database.prepare(`SELECT count(*) AS runs FROM runs WHERE state < 4 AND ${column} = ?`);
    this.#countOfRequester = count("requester_key");
    this.#countOfRoot = count("root_key");
    this.#idsOfRequester = database.prepare("SELECT run_id FROM runs WHERE state < 4 AND requester_key = ?");
    this.#idsOfParent = database.prepare("SELECT run_id FROM runs WHERE state < 4 AND parent_run_id = ?");
    this.#hasAwaited = database.prepare(
      "SELECT 1 FROM runs WHERE state < 4 AND parent_run_id = ? AND is_awaited = 1 LIMIT 1",
    );
    this.#hasOfChild = database.prepare("SELECT 1 FROM runs WHERE state < 4 AND child_key = ? LIMIT 1");
  }

  /** Whether a session has asked for as many as it may. */
  hasAsked(sessionKey: string, most: number): boolean {
    return readNumber(this.#countOfRequester.get(sessionKey)?.runs) >= most;
  }

  /** Whether a tree has as many as it may. */
  hasGrown(rootSessionKey: string, most: number): boolean {
    return readNumber(this.#countOfRoot.get(rootSessionKey)?.runs) >= most;
  }

  listOfRequester(sessionKey: string): readonly string[] {
    return this.#idsOfRequester.all(sessionKey).map((row) => readText(row.run_id));
  }

  listOfParent(runId: string): readonly string[] {
    return this.#idsOfParent.all(runId).map((row) => readText(row.run_id));
  }

  /** Whether a run waits for another one. */
  hasAwaited(parentRunId: string): boolean {
    return this.#hasAwaited.get(parentRunId) !== undefined;
  }

  /** Whether a session works for a run, or waits for one that it asked for. */
  hasAround(sessionKey: string): boolean {
    return this.#hasOfChild.get(sessionKey) !== undefined || this.hasAsked(sessionKey, 1);
  }
}
