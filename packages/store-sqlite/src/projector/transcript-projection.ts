import type { AgentFolders } from "./agent-folder.ts";
import type { EntryFeed, EntryGroup, ListedTranscript, Transcript } from "./entry-feed.ts";
import type { LineWriter } from "./line-writer.ts";
import { getRefusal } from "./refusal.ts";
import { appendTranscript, endsWith, mendTranscript } from "./transcript-file.ts";
import { UnsyncedFiles } from "./unsynced-files.ts";
import { findWatermark, writeWatermark } from "./watermark.ts";

/** Many, so that what a busy second added to one file is written at once; a few megabytes at most. */
const ENTRIES_AT_ONCE = 5_000;
const TRANSCRIPTS_AT_ONCE = 500;
/** Between two watermarks; what was appended since the last one is compared whole after a crash. */
const WATERMARK_EVERY_MS = 60_000;
/** Each of them holds up the commits of the database a little. */
const SYNCS_AT_ONCE = 200;
const SYNC_EVERY_MS = 1_000;
/** With more unsynced files than this a stop does not wait for them: the next start compares them, which is quicker. */
const MOST_SYNCS_AT_STOP = 1_000;
/** A file that could not be written is tried again. */
const MEND_EVERY_MS = 10_000;

export interface ProjectionParts {
  readonly targetDir: string;
  readonly feed: EntryFeed;
  readonly folders: AgentFolders;
  readonly write: LineWriter;
  warn(fields: Readonly<Record<string, string>>, message: string): void;
}

/**
 * The transcripts' files. Entries are appended in the order of the database; a file that fails is set aside and mended
 * as a whole later, so that one bad file never holds up the others. The watermark moves only over synced files.
 */
export class TranscriptProjection {
  readonly #parts: ProjectionParts;
  readonly #setAside = new Set<number>();
  /** Transcripts whose file's name is none. */
  readonly #hidden = new Set<number>();
  readonly #unsynced = new UnsyncedFiles();
  #pos = 0;
  #hasBooted = false;
  #watermarkAtMs = 0;
  #syncedAtMs = 0;
  #mendedAtMs = 0;

  constructor(parts: ProjectionParts) {
    this.#parts = parts;
  }

  async project(nowMs: number, isFinal: boolean): Promise<void> {
    if (!this.#hasBooted) await this.#boot(nowMs);
    await this.#append();
    if (this.#setAside.size > 0 && (isFinal || nowMs - this.#mendedAtMs >= MEND_EVERY_MS)) await this.#mendAll(nowMs);
    if (this.#setAside.size > 0 || this.#unsynced.size === 0) return;
    if (isFinal) this.#syncAll(nowMs);
    else if (this.#unsynced.isInRound || nowMs - this.#watermarkAtMs >= WATERMARK_EVERY_MS) this.#syncSome(nowMs);
  }

  /** When there is something left to do without a new entry. */
  findNextAtMs(): number | undefined {
    if (this.#setAside.size > 0) return this.#mendedAtMs + MEND_EVERY_MS;
    if (this.#unsynced.isInRound) return this.#syncedAtMs + SYNC_EVERY_MS;
    return this.#unsynced.size > 0 ? this.#watermarkAtMs + WATERMARK_EVERY_MS : undefined;
  }

  /** After any crash: files that were written since the watermark are compared whole, the others by their last line. */
  async #boot(nowMs: number): Promise<void> {
    const { feed, folders, targetDir } = this.#parts;
    const upToPos = feed.getLastPos();
    const watermark = findWatermark(targetDir);
    const isOurs = watermark?.storeId === feed.storeId && watermark.pos <= upToPos;
    const surePos = isOurs ? watermark.pos : 0;
    this.#pos = upToPos;
    for (let afterId = 0; ; ) {
      const page = feed.listTranscripts(afterId, TRANSCRIPTS_AT_ONCE);
      await folders.learn(page.filter(({ file }) => file !== "").map(({ agentId }) => agentId));
      for (const transcript of page) this.#check(transcript, surePos);
      const last = page.at(-1);
      if (last === undefined) break;
      afterId = last.id;
    }
    this.#hasBooted = true;
    this.#mendedAtMs = nowMs;
    this.#watermarkAtMs = nowMs;
    const isSure = this.#setAside.size === 0 && this.#unsynced.size === 0;
    if (isSure && surePos !== upToPos) this.#moveWatermark(upToPos, nowMs);
  }

  /** What was put away and is sure on the disk is not looked at again: there may be very many of them. */
  #check(transcript: ListedTranscript, surePos: number): void {
    const last = this.#parts.feed.findLast(transcript.id, this.#pos);
    if (last === undefined || (transcript.isArchived && last.pos <= surePos)) return;
    this.#try(transcript, (path) => {
      if (last.pos > surePos || !endsWith(path, last.body)) this.#mend(path, transcript.id);
    });
  }

  async #append(): Promise<void> {
    const { feed, folders } = this.#parts;
    for (;;) {
      const { groups, lastPos } = feed.listAfter(this.#pos, ENTRIES_AT_ONCE);
      if (groups.length === 0) return;
      const named = groups.filter(({ transcript }) => transcript.file !== "");
      await folders.learn(named.map(({ transcript }) => transcript.agentId));
      this.#pos = lastPos;
      for (const group of named) if (!this.#setAside.has(group.transcript.id)) this.#appendGroup(group);
    }
  }

  #appendGroup(group: EntryGroup): void {
    this.#try(group.transcript, (path) => {
      this.#unsynced.add(path);
      if (appendTranscript(path, group, this.#parts.write) === "mend") this.#mend(path, group.transcript.id);
    });
  }

  async #mendAll(nowMs: number): Promise<void> {
    const { feed, folders } = this.#parts;
    this.#mendedAtMs = nowMs;
    for (const id of [...this.#setAside]) {
      const transcript = feed.findTranscript(id);
      if (transcript === undefined || transcript.file === "") {
        // It was removed, or emptied as the newest one; its file stays as it is.
        this.#setAside.delete(id);
        continue;
      }
      await folders.learn([transcript.agentId]);
      this.#try(transcript, (path) => {
        this.#mend(path, id);
        this.#setAside.delete(id);
      });
    }
  }

  #mend(path: string, transcriptId: number): void {
    this.#unsynced.add(path);
    mendTranscript(path, this.#parts.feed.iterate(transcriptId, this.#pos), this.#parts.write);
  }

  /** What the operating system refuses is told once and tried again later; anything else is a bug and ends the worker. */
  #try(transcript: Transcript, use: (path: string) => void): void {
    if (transcript.file === "" || this.#hidden.has(transcript.id)) return;
    const { id, agentId, file } = transcript;
    try {
      const path = this.#parts.folders.open(agentId)?.findTranscript(file);
      if (path !== undefined) {
        use(path);
        return;
      }
      this.#hidden.add(id);
      this.#parts.warn({ agentId, file }, "a transcript is not shown: its file's name could lead out of the folder");
    } catch (error) {
      const cause = getRefusal(error);
      if (!this.#setAside.has(id)) {
        this.#parts.warn({ agentId, file, cause }, "a transcript's file could not be written; it is tried again");
      }
      this.#setAside.add(id);
    }
  }

  #syncAll(nowMs: number): void {
    if (this.#unsynced.size > MOST_SYNCS_AT_STOP) return;
    while (this.#unsynced.size > 0) this.#syncSome(nowMs);
  }

  #syncSome(nowMs: number): void {
    this.#syncedAtMs = nowMs;
    const pos = this.#unsynced.sync(SYNCS_AT_ONCE, this.#pos, (cause) => this.#warnUnsynced(cause));
    if (pos !== undefined) this.#moveWatermark(pos, nowMs);
    if (!this.#unsynced.isInRound) this.#watermarkAtMs = nowMs;
  }

  #moveWatermark(pos: number, nowMs: number): void {
    this.#watermarkAtMs = nowMs;
    try {
      writeWatermark(this.#parts.targetDir, { storeId: this.#parts.feed.storeId, pos });
    } catch (error) {
      this.#warnUnsynced(getRefusal(error));
    }
  }

  #warnUnsynced(cause: string): void {
    this.#parts.warn(
      { cause },
      "the readable layout could not be synced; the next start compares it with the database",
    );
  }
}
