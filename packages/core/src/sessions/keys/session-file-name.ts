import { createHash } from "node:crypto";
import { BanyanError } from "../../ports/errors.ts";
import { formatReceivedValue } from "./received-value.ts";
import { classifySessionKey } from "./session-key-kind.ts";

/** Leaves room for hash, id and suffix below the 255 bytes that file systems allow. The escaped key is ASCII. */
const READABLE_LIMIT_BYTES = 160;
const HASH_LENGTH_HEX = 16;
const SESSION_ID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Names a session's file in the readable layout: the key, lower-cased and escaped, at most 160 bytes of it, `--`, 16 hex
 * of the SHA-256 of the key, `--`, the first 8 of the session id, `.jsonl`. A reset changes the id and so starts a new file.
 * The readable part is for people: it is not unique and cannot be read back; the hash tells keys apart also where
 * file names fold case. Safe on every system: only `a-z 0-9 _ . @ + = -`, never `..`, never a device's name.
 * Throws `invalid_session_key` for text that is not a key, `invalid_segment` for an id that is not a uuid.
 */
export function buildSessionFileName(sessionKey: string, sessionId: string): string {
  if (classifySessionKey(sessionKey) === "invalid") {
    throw new BanyanError(
      "invalid_session_key",
      `naming a session's file: the key does not parse, received ${formatReceivedValue(sessionKey)}; pass a key that the core built`,
    );
  }
  const hash = createHash("sha256").update(sessionKey).digest("hex").slice(0, HASH_LENGTH_HEX);
  return `${escapeKey(sessionKey)}--${hash}--${shortenSessionId(sessionId)}.jsonl`;
}

/** `:` and `%` become `_` and `=`; a run of dots, which could climb out of the folder, becomes as many `_`. */
function escapeKey(key: string): string {
  return key
    .toLowerCase()
    .slice(0, READABLE_LIMIT_BYTES)
    .replaceAll(":", "_")
    .replaceAll("%", "=")
    .replace(/\.{2,}/g, (dots) => "_".repeat(dots.length));
}

function shortenSessionId(sessionId: string): string {
  const [, start] = SESSION_ID.exec(sessionId) ?? [];
  if (start !== undefined) return start.toLowerCase();
  throw new BanyanError(
    "invalid_segment",
    `naming a session's file: the session id is not a uuid, received ${formatReceivedValue(sessionId)}; pass the sessionId of the session's record`,
  );
}
