import { basename, dirname, resolve } from "node:path";
import type { ContentPart, NewTranscriptEntry } from "@banyan/plugin-sdk";
import type { SessionRow, Store } from "@banyan/store";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Ports } from "../ports/ports.ts";
import { formatReceivedValue } from "./keys/received-value.ts";
import { formatEntry } from "./transcript.ts";
import { resolveSessionTranscriptFile } from "./transcript-file.ts";

export interface SessionManagerParts {
  readonly store: Store;
  readonly ports: Pick<Ports, "clock" | "createId">;
  /** Whose readable layout the file belongs to. */
  readonly stateDir: string;
}

/** A message as a program adds it: a text, or parts with their audience. */
export type AppendedMessage = {
  readonly content: string | readonly ContentPart[];
} & Pick<NewTranscriptEntry, "role"> &
  Partial<Omit<NewTranscriptEntry, "role" | "content" | "kind">>;

/** One session, found by its transcript in the readable layout and written through the store, never through the file. */
export class SessionManager {
  readonly sessionKey: string;
  readonly sessionId: string;
  /** Absolute. */
  readonly file: string;
  readonly #parts: SessionManagerParts;

  private constructor(row: SessionRow, file: string, parts: SessionManagerParts) {
    this.sessionKey = row.key;
    this.sessionId = row.sessionId;
    this.file = file;
    this.#parts = parts;
  }

  /**
   * Finds the session that the file belongs to now. The file itself is not read and need not exist yet.
   * Throws `session_not_found` for any other file, that of a session that was reset included.
   */
  static async open(file: string, parts: SessionManagerParts): Promise<SessionManager> {
    const path = resolve(file);
    const row = await findOwner(path, parts);
    if (row !== undefined) return new SessionManager(row, path, parts);
    throw new BanyanError(
      "session_not_found",
      `opening a session by its file: no session below ${parts.stateDir} writes it, received ${formatReceivedValue(file)}; banyan sessions list shows the sessions`,
    );
  }

  /** Appends one entry of kind `message` to the transcript and answers its id. An id that stands there is left alone. */
  async appendMessage(message: AppendedMessage): Promise<string> {
    const { store, ports } = this.#parts;
    const entry: NewTranscriptEntry = {
      timestamp: ports.clock.now(),
      ...message,
      id: message.id ?? ports.createId(),
      kind: "message",
      content: typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content,
    };
    const { sessionKey, sessionId } = this;
    const entries = [formatEntry(entry)];
    const appended = await commitStep(store, { step: "append_entries", sessionKey, sessionId, entries });
    if (appended.status !== "refused") return entry.id;
    throw new BanyanError(
      "session_not_found",
      `appending to the session ${sessionKey}: the store has none of that key; open the session again`,
    );
  }
}

/** The folder only hints at the agent; the path that the row itself gives decides. */
async function findOwner(path: string, { store, stateDir }: SessionManagerParts): Promise<SessionRow | undefined> {
  const folder = basename(dirname(dirname(path)));
  const row = await store.read.sessionByFile(folder.replace(/\+$/, ""), basename(path));
  if (row === undefined) return undefined;
  const { key: sessionKey, sessionId, agentId, file: sessionFile } = row;
  const own = resolveSessionTranscriptFile({
    stateDir: resolve(stateDir),
    sessionKey,
    sessionId,
    agentId,
    sessionFile,
  });
  return own === path ? row : undefined;
}
