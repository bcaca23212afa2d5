import { createWriteStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { SessionRow, StoreReads } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { findSession } from "../state/find-session.ts";
import { iterateSessions } from "../state/list-sessions.ts";
import { nothingStored } from "../state/nothing-stored.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
import { writeOut } from "../terminal/write-out.ts";
import { UsageError } from "../usage-error.ts";

const PAGE_ENTRIES = 500;
const STANDARD_OUTPUT = "-";

export interface SessionsExportOptions extends GlobalOptions {
  readonly all?: boolean;
  readonly out: string;
}

/**
 * `banyan sessions export`: transcripts as JSON lines, one entry a line, exactly as the readable layout has them. Read
 * from the store, so that the last second is in it.
 */
export async function sessionsExport(given: readonly string[], options: SessionsExportOptions): Promise<void> {
  if ((given.length === 0) !== (options.all ?? false)) {
    throw new UsageError("exporting sessions: name some, or all of them with --all, not both");
  }
  const { config } = await loadStateConfig(options.config);
  const count = await readState(config, async (read) => {
    const sessions = options.all ? iterateSessions(read) : await findAll(read, given);
    return options.out === STANDARD_OUTPUT
      ? exportToOutput(read, sessions)
      : exportToFolder(read, sessions, resolve(options.out));
  });
  if (count === undefined && !options.all) throw nothingStored("exporting sessions", config.stateDir);
  if (options.out !== STANDARD_OUTPUT) await writeOut(`  ${countOf(count ?? 0, "transcript")} in ${options.out}\n`);
}

async function findAll(read: StoreReads, given: readonly string[]): Promise<readonly SessionRow[]> {
  const found = new Map<string, SessionRow>();
  for (const each of given) {
    const row = await findSession(read, each);
    found.set(row.key, row);
  }
  return [...found.values()];
}

type Sessions = Iterable<SessionRow> | AsyncIterable<SessionRow>;

async function exportToOutput(read: StoreReads, sessions: Sessions): Promise<number> {
  let count = 0;
  for await (const row of sessions) {
    for await (const lines of iterateLines(read, row.sessionId)) await writeOut(lines);
    count += 1;
  }
  return count;
}

/** Each file is written beside its place and then put there, so that a cut-off export leaves none that is half. */
async function exportToFolder(read: StoreReads, sessions: Sessions, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  for await (const row of sessions) {
    const path = join(folder, row.file);
    await pipeline(Readable.from(iterateLines(read, row.sessionId)), createWriteStream(`${path}.tmp`, { mode: 0o600 }));
    await rename(`${path}.tmp`, path);
    count += 1;
  }
  return count;
}

async function* iterateLines(read: StoreReads, sessionId: string): AsyncGenerator<string> {
  for (let afterSeq = 0; ; ) {
    const page = await read.entries({ sessionId, afterSeq, limit: PAGE_ENTRIES });
    if (page.length > 0) yield page.map(({ body }) => `${body}\n`).join("");
    if (page.length < PAGE_ENTRIES) return;
    afterSeq = page.at(-1)?.seq ?? afterSeq;
  }
}
