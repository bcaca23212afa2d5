import { join } from "node:path";
import { BanyanError } from "../ports/errors.ts";
import { buildAgentFolderName } from "./keys/agent-folder-name.ts";
import { normalizeAgentId } from "./keys/agent-id.ts";
import { resolveAgentIdFromSessionKey } from "./keys/agent-session-key.ts";
import { formatReceivedValue } from "./keys/received-value.ts";
import { buildSessionFileName } from "./keys/session-file-name.ts";

/** A name that the layout can hold: neither hidden nor a path. */
const FILE_NAME = /^[A-Za-z0-9_@+=-][A-Za-z0-9_.@+=-]*$/;

export interface TranscriptQuery {
  /** Absolute. */
  readonly stateDir: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  /** Whose folder `global` and `unknown` are kept in; every other key names its agent itself. Default: `main`. */
  readonly agentId?: string | undefined;
  /** What the session's record names; without it the name that a new session gets. */
  readonly sessionFile?: string | undefined;
}

/**
 * The path of a session's transcript in the readable layout. It need not exist: the layout follows the database within
 * a second or so. Throws `invalid_session_key` for a key that does not parse, `invalid_segment` for an id that is no
 * uuid or a file that is no plain name.
 */
export function resolveSessionTranscriptFile(query: TranscriptQuery): string {
  const { stateDir, sessionKey, sessionId, sessionFile } = query;
  const agentId = resolveAgentIdFromSessionKey(sessionKey) ?? normalizeAgentId(query.agentId);
  const file = sessionFile ?? buildSessionFileName(sessionKey, sessionId);
  if (!FILE_NAME.test(file)) {
    throw new BanyanError(
      "invalid_segment",
      `finding a session's transcript: its file is no plain name, received ${formatReceivedValue(file)}; pass the sessionFile of the session's record`,
    );
  }
  return join(stateDir, "agents", buildAgentFolderName(agentId), "sessions", file);
}
