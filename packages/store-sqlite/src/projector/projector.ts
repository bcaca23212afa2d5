import type { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { AgentFolders } from "./agent-folder.ts";
import { createEntryFeed, type EntryFeed } from "./entry-feed.ts";
import { createLineWriter } from "./line-writer.ts";
import { createSessionsFileWriter } from "./sessions-file.ts";
import { SessionsProjection } from "./sessions-projection.ts";
import { TranscriptProjection } from "./transcript-projection.ts";

export interface ProjectorParts {
  /** Only read. */
  readonly database: DatabaseSync;
  readonly targetDir: string;
  /** The name of an agent's folder. */
  readonly nameOf: (agentId: string) => Promise<string>;
  readonly faultPoint?: FaultPoint;
  warn(fields: Readonly<Record<string, string>>, message: string): void;
}

/** Keeps the readable layout equal to the database. Calls of `project` do not overlap. */
export class Projector {
  readonly #feed: EntryFeed;
  readonly #transcripts: TranscriptProjection;
  readonly #sessions: SessionsProjection;
  #hasBegun = false;

  constructor(parts: ProjectorParts) {
    const { database, targetDir, faultPoint } = parts;
    const warn: ProjectorParts["warn"] = (fields, message) => parts.warn(fields, message);
    const folders = new AgentFolders(targetDir, parts.nameOf);
    this.#feed = createEntryFeed(database);
    const write = createLineWriter(faultPoint);
    this.#transcripts = new TranscriptProjection({ targetDir, feed: this.#feed, folders, write, warn });
    const files = createSessionsFileWriter(database, faultPoint);
    this.#sessions = new SessionsProjection({ folders, files, warn });
  }

  /** The first call brings everything up to date. Answers in how long it should be called again without a new commit. */
  async project(agents: readonly string[], isFinal: boolean, nowMs: number): Promise<number | undefined> {
    this.#sessions.add(this.#hasBegun ? agents : this.#feed.listAgents());
    this.#hasBegun = true;
    await this.#transcripts.project(nowMs, isFinal);
    await this.#sessions.project(nowMs, isFinal);
    const times = [this.#transcripts.findNextAtMs(), this.#sessions.findNextAtMs()].filter(
      (time) => time !== undefined,
    );
    return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - nowMs);
  }
}
