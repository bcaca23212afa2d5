import { closeSync, constants, fsyncSync, renameSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { readText } from "../database/column.ts";
import { openPrivate } from "../database/private-file.ts";
import { writeAll } from "./line-writer.ts";

/** What is gathered before it is written; bounds memory. */
const PIECE_CHARS = 262_144;

export interface SessionsFileWriter {
  /** Writes the file of one agent beside the old one, then puts it in its place. Answers how many sessions it holds. */
  write(path: string, agentId: string): number;
}

export function createSessionsFileWriter(
  database: DatabaseSync,
  faultPoint: FaultPoint | undefined,
): SessionsFileWriter {
  const sessions = database.prepare(
    "SELECT key, body FROM sessions WHERE agent_id = ? AND archived_at IS NULL ORDER BY key",
  );

  function writeRows(fd: number, agentId: string): number {
    let count = 0;
    let piece = "{";
    for (const row of sessions.iterate(agentId)) {
      piece += `${count === 0 ? "" : ","}\n  ${JSON.stringify(readText(row.key))}: ${formatBody(readText(row.body))}`;
      count += 1;
      if (piece.length < PIECE_CHARS) continue;
      writeAll(fd, Buffer.from(piece));
      piece = "";
    }
    writeAll(fd, Buffer.from(`${piece}${count === 0 ? "" : "\n"}}\n`));
    return count;
  }

  return {
    write(path, agentId) {
      const temporary = `${path}.tmp`;
      const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
      const fd = openPrivate(temporary, O_WRONLY | O_CREAT | O_TRUNC);
      let count: number;
      try {
        count = writeRows(fd, agentId);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      faultPoint?.("sessions_json.rename.before");
      renameSync(temporary, path);
      faultPoint?.("sessions_json.rename.after");
      return count;
    },
  };
}

/** Pretty, one level in. A text that is no JSON stands as a string, so that the file parses at every instant. */
function formatBody(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = body;
  }
  return JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
}
