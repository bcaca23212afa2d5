import type { DatabaseSync } from "node:sqlite";
import { type Row, readNumber, readText } from "../database/column.ts";
import { prepareRows } from "../database/row-statement.ts";

export interface Transcript {
  readonly id: number;
  readonly agentId: string;
  /** Empty until a session names it. */
  readonly file: string;
}

export interface ListedTranscript extends Transcript {
  /** Its session was put away: nothing is written to it. */
  readonly isArchived: boolean;
}

/** Entries of one transcript that follow each other. */
export interface EntryGroup {
  readonly transcript: Transcript;
  readonly firstSeq: number;
  readonly bodies: string[];
}

export interface LastEntry {
  readonly pos: number;
  readonly body: string;
}

/** What the projector reads of the database. `pos` is an entry's place in the order in which all were written. */
export interface EntryFeed {
  readonly storeId: string;
  getLastPos(): number;
  /** The entries behind `pos`, in order, grouped; `lastPos` is the place of the last of them. */
  listAfter(pos: number, limit: number): { readonly groups: readonly EntryGroup[]; readonly lastPos: number };
  listTranscripts(afterId: number, limit: number): readonly ListedTranscript[];
  findTranscript(id: number): Transcript | undefined;
  /** The last entry of a transcript up to a place. */
  findLast(transcriptId: number, upToPos: number): LastEntry | undefined;
  /** The bodies of a transcript up to a place, from the first one. */
  iterate(transcriptId: number, upToPos: number): Iterable<string>;
  listAgents(): readonly string[];
}

export function createEntryFeed(database: DatabaseSync): EntryFeed {
  const storeId = readText(database.prepare("SELECT value FROM meta WHERE name = 'store_id'").get()?.value);
  const lastPos = database.prepare("SELECT coalesce(max(pos), 0) AS pos FROM entries");
  const after = prepareRows(
    database,
    `SELECT pos, seq, body, transcript_id, agent_id, file
     FROM entries JOIN transcripts ON transcripts.id = transcript_id WHERE pos > ? ORDER BY pos LIMIT ?`,
  );
  const transcripts = database.prepare(
    `SELECT id, agent_id, file,
       EXISTS (SELECT 1 FROM sessions WHERE key = session_key AND archived_at IS NOT NULL) AS is_archived
     FROM transcripts WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const transcript = database.prepare("SELECT id, agent_id, file FROM transcripts WHERE id = ?");
  const last = database.prepare(
    "SELECT pos, body FROM entries WHERE transcript_id = ? AND pos <= ? ORDER BY seq DESC LIMIT 1",
  );
  const bodies = database.prepare("SELECT body FROM entries WHERE transcript_id = ? AND pos <= ? ORDER BY seq");
  const nextAgent = database.prepare("SELECT min(agent_id) AS agent_id FROM sessions WHERE agent_id > ?");

  return {
    storeId,
    getLastPos: () => readNumber(lastPos.get()?.pos),
    listAfter(pos, limit) {
      const rows = after.all(pos, limit);
      return { groups: groupRows(rows), lastPos: rows.length === 0 ? pos : readNumber(rows.at(-1)?.[0]) };
    },
    listTranscripts: (afterId, limit) =>
      transcripts.all(afterId, limit).map((row) => ({ ...readTranscript(row), isArchived: row.is_archived === 1 })),
    findTranscript: (id) => transcript.all(id).map(readTranscript)[0],
    findLast(transcriptId, upToPos) {
      const row = last.get(transcriptId, upToPos);
      return row === undefined ? undefined : { pos: readNumber(row.pos), body: readText(row.body) };
    },
    *iterate(transcriptId, upToPos) {
      for (const row of bodies.iterate(transcriptId, upToPos)) yield readText(row.body);
    },
    listAgents() {
      const agents: string[] = [];
      for (let agent = nextAgent.get("")?.agent_id; typeof agent === "string"; ) {
        agents.push(agent);
        agent = nextAgent.get(agent)?.agent_id;
      }
      return agents;
    },
  };
}

function readTranscript(row: Row): Transcript {
  return { id: readNumber(row.id), agentId: readText(row.agent_id), file: readText(row.file) };
}

/** The columns of `listAfter`: pos, seq, body, transcript_id, agent_id, file. */
function groupRows(rows: readonly Row[]): readonly EntryGroup[] {
  const groups = new Map<number, EntryGroup>();
  for (const row of rows) {
    const id = readNumber(row[3]);
    const group = groups.get(id);
    if (group !== undefined) {
      group.bodies.push(readText(row[2]));
      continue;
    }
    const transcript = { id, agentId: readText(row[4]), file: readText(row[5]) };
    groups.set(id, { transcript, firstSeq: readNumber(row[1]), bodies: [readText(row[2])] });
  }
  return [...groups.values()];
}
