import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ExpectedWriters, WriterRow } from "@banyan/store";
import { readText } from "../database/column.ts";

/** Who has written in which session, for steps that were decided by it. */
export class WriterTable {
  readonly #of: StatementSync;

  constructor(database: DatabaseSync) {
    this.#of = database.prepare("SELECT session_key, channel, peer FROM writers WHERE session_key = ?");
  }

  /** Whether the sessions have the writers that a step was decided by, no more and no fewer. */
  stand(expected: ExpectedWriters | undefined): boolean {
    if (expected === undefined) return true;
    const present = [...new Set(expected.sessionKeys)].flatMap((key) =>
      this.#of.all(key).map((row) =>
        formatWriter({
          sessionKey: readText(row.session_key),
          channel: readText(row.channel),
          peer: readText(row.peer),
        }),
      ),
    );
    const judged = new Set(expected.writers.map(formatWriter));
    return present.length === judged.size && present.every((writer) => judged.has(writer));
  }
}

function formatWriter({ sessionKey, channel, peer }: WriterRow): string {
  return JSON.stringify([sessionKey, channel, peer]);
}
