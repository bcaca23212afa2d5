import type { DatabaseSync } from "node:sqlite";
import { readNumber } from "../database/column.ts";

/** The place up to which every entry stands in the readable layout. */
export type FindProjectedPos = () => number;

export interface SessionRemover {
  /** Once in each transaction that removes any. */
  begin(): void;
  /** With its writers and transcripts. It stays, for the next time, while the layout has not all of it: false. */
  remove(key: string): boolean;
}

/**
 * The numbers of the newest entry and transcript are never given again: the layout goes by them. So these two rows stay
 * when they are removed, emptied and nobody's, until others are the newest.
 */
export function createSessionRemover(database: DatabaseSync, findProjectedPos: FindProjectedPos): SessionRemover {
  const sweep = [
    "DELETE FROM entries WHERE transcript_id = 0 AND pos < (SELECT max(pos) FROM entries)",
    "DELETE FROM transcripts WHERE session_key = '' AND id < (SELECT max(id) FROM transcripts)",
  ].map((sql) => database.prepare(sql));
  const transcripts = database.prepare(
    `SELECT id, coalesce((SELECT pos FROM entries WHERE transcript_id = transcripts.id ORDER BY seq DESC LIMIT 1), 0) AS pos
     FROM transcripts WHERE session_key = ?`,
  );
  const emptyEntry = database.prepare(
    `UPDATE entries SET id = 'removed ' || pos, transcript_id = 0, seq = pos, item_seq = NULL, body = ''
     WHERE pos = (SELECT max(pos) FROM entries) AND transcript_id = ?`,
  );
  const emptyTranscript = database.prepare(
    `UPDATE transcripts SET session_id = 'removed ' || id, session_key = '', agent_id = '', file = ''
     WHERE id = (SELECT max(id) FROM transcripts) AND id = ?`,
  );
  const removeEntries = database.prepare("DELETE FROM entries WHERE transcript_id = ?");
  const removeTranscript = database.prepare("DELETE FROM transcripts WHERE id = ? AND session_key <> ''");
  const removeOthers = ["DELETE FROM writers WHERE session_key = ?", "DELETE FROM sessions WHERE key = ?"].map((sql) =>
    database.prepare(sql),
  );
  let projectedPos = 0;

  return {
    begin() {
      projectedPos = findProjectedPos();
      for (const statement of sweep) statement.run();
    },
    remove(key) {
      const rows = transcripts.all(key);
      if (rows.some((row) => readNumber(row.pos) > projectedPos)) return false;
      for (const { id = null } of rows) {
        emptyEntry.run(id);
        removeEntries.run(id);
        emptyTranscript.run(id);
        removeTranscript.run(id);
      }
      for (const statement of removeOthers) statement.run(key);
      return true;
    },
  };
}
