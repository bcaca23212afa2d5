import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

/** Each transcript's file as the database would have it, by its path. */
export function readFilesOf(database: DatabaseSync, folder: string): ReadonlyMap<string, string> {
  const rows = database
    .prepare(
      "SELECT agent_id, file, body FROM entries JOIN transcripts ON transcripts.id = transcript_id ORDER BY transcript_id, seq",
    )
    .all();
  const files = new Map<string, string>();
  for (const { agent_id, file, body } of rows) {
    const path = join(folder, "agents", String(agent_id), "sessions", String(file));
    files.set(path, `${files.get(path) ?? ""}${String(body)}\n`);
  }
  return files;
}

/** Of one file: what the entries up to a place take. */
export function countBytesUpTo(database: DatabaseSync, path: string, pos: number): number {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const rows = database
    .prepare(
      "SELECT body FROM entries JOIN transcripts ON transcripts.id = transcript_id WHERE file = ? AND pos <= ? ORDER BY seq",
    )
    .all(file, pos);
  return rows.reduce((sum, { body }) => sum + Buffer.byteLength(`${String(body)}\n`), 0);
}

/** A character that was torn in the middle is left out: what stands before it is the prefix. */
export function readPrefix(path: string): string {
  return readFileSync(path, "utf8").replace(/\uFFFD+$/, "");
}

export function readText(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8");
}

export function listNames(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
}

export function truncateSafely(path: string, size: number): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) truncateSync(path, size);
}

/** A block that never came to the disk, while those behind it did. */
export function punchHole(path: string, from: number, bytes: number): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const content = readFileSync(path);
  content.subarray(from, from + bytes).fill(0);
  writeFileSync(path, content);
}

export function canParse(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
