import type { AgentFolders } from "./agent-folder.ts";
import { getRefusal } from "./refusal.ts";
import type { SessionsFileWriter } from "./sessions-file.ts";

const SHORTEST_WAIT_MS = 1_000;
/** Above so many sessions a file is written rarely: one of 100,000 sessions is 95 MB. */
const MANY_SESSIONS = 20_000;
const LONG_WAIT_MS = 600_000;
/** The writing of a file takes at most this share of the time. */
const LARGEST_SHARE = 1 / 20;
/** A file that could not be written is tried again. */
const RETRY_MS = 10_000;

export interface SessionsProjectionParts {
  readonly folders: AgentFolders;
  readonly files: SessionsFileWriter;
  warn(fields: Readonly<Record<string, string>>, message: string): void;
}

/** The `sessions.json` of each agent, written when it changed, and the larger it is the less often. */
export class SessionsProjection {
  readonly #parts: SessionsProjectionParts;
  readonly #changed = new Set<string>();
  /** Not written again before. */
  readonly #notBeforeMs = new Map<string, number>();

  constructor(parts: SessionsProjectionParts) {
    this.#parts = parts;
  }

  add(agentIds: Iterable<string>): void {
    for (const agentId of agentIds) this.#changed.add(agentId);
  }

  async project(nowMs: number, isFinal: boolean): Promise<void> {
    const due = [...this.#changed].filter((agentId) => isFinal || this.#getNotBeforeMs(agentId) <= nowMs);
    await this.#parts.folders.learn(due);
    for (const agentId of due) {
      const waitMs = this.#write(agentId);
      this.#notBeforeMs.set(agentId, nowMs + waitMs);
    }
  }

  /** When something that was put off is due. */
  findNextAtMs(): number | undefined {
    const times = [...this.#changed].map((agentId) => this.#getNotBeforeMs(agentId));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Answers how long to wait before the next time. */
  #write(agentId: string): number {
    this.#changed.delete(agentId);
    const start = performance.now();
    try {
      const folder = this.#parts.folders.open(agentId);
      if (folder === undefined) {
        this.#parts.warn({ agentId }, "an agent's sessions are not shown: its name could lead out of the folder");
        return LONG_WAIT_MS;
      }
      const count = this.#parts.files.write(folder.sessionsJson, agentId);
      if (count > MANY_SESSIONS) return LONG_WAIT_MS;
      return Math.max(SHORTEST_WAIT_MS, (performance.now() - start) / LARGEST_SHARE);
    } catch (error) {
      const cause = getRefusal(error);
      this.#changed.add(agentId);
      this.#parts.warn({ agentId, cause }, "sessions.json could not be written; it is tried again");
      return RETRY_MS;
    }
  }

  #getNotBeforeMs(agentId: string): number {
    return this.#notBeforeMs.get(agentId) ?? Number.NEGATIVE_INFINITY;
  }
}
