import { readFile, stat } from "node:fs/promises";
import type { SessionEntry } from "@banyan/plugin-sdk";
import { BanyanError } from "../ports/errors.ts";
import { formatReceivedValue } from "./keys/received-value.ts";
import { parseSessionEntry } from "./parse-session-entry.ts";

/** Session records by key, as one `sessions.json` of the readable layout holds them. Never written back. */
export type LoadedSessions = Readonly<Record<string, SessionEntry>>;

interface CachedSessions {
  /** Changes with every rewrite of the file. */
  readonly version: string;
  readonly sessions: LoadedSessions;
}

/** What was loaded, by path: kept by who loads the same files again and again. */
export type SessionStoreCache = Map<string, CachedSessions>;

export interface LoadSessionStoreOptions {
  /** Spares the reading while the file is the same. */
  readonly cache?: SessionStoreCache;
  /** Reads the file whatever the cache holds, and puts it there. */
  readonly skipCache?: boolean;
}

/**
 * Loads the records of one agent from the readable layout (`<stateDir>/agents/<agent>/sessions.json`), read-only. The
 * layout follows the database by a second or more: ask the store for decisions. No file: no sessions.
 * Throws `state_dir_unusable` for a file that is no layout.
 */
export async function loadSessionStore(
  storePath: string,
  options: LoadSessionStoreOptions = {},
): Promise<LoadedSessions> {
  const version = await readVersion(storePath);
  if (version === undefined) return Object.freeze({});
  const cached = options.skipCache ? undefined : options.cache?.get(storePath);
  if (cached?.version === version) return cached.sessions;
  const sessions = parseSessions(await readFile(storePath, "utf8"), storePath);
  // A file that was replaced meanwhile is at worst kept under its older version, and so read again.
  options.cache?.set(storePath, { version, sessions });
  return sessions;
}

/** `undefined`: there is no file. The layout puts a new file in the old one's place, so its number changes. */
async function readVersion(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs].join(" ");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new BanyanError("state_dir_unusable", `loading ${path}: it cannot be read; check its rights`, {
      cause: error,
    });
  }
}

function parseSessions(text: string, path: string): LoadedSessions {
  const written = parseObject(text, path);
  // Without a prototype: `constructor` is no session.
  const sessions: Record<string, SessionEntry> = Object.create(null);
  for (const [key, entry] of Object.entries(written)) sessions[key] = parseEntry(key, entry, path);
  return Object.freeze(sessions);
}

function parseObject(text: string, path: string): object {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (cause) {
    throw notALayout(path, "it is no JSON", `${text.length} characters`, cause);
  }
  if (typeof written === "object" && written !== null && !Array.isArray(written)) return written;
  throw notALayout(path, "it is no object of session keys", formatReceivedValue(written));
}

function parseEntry(key: string, entry: unknown, path: string): SessionEntry {
  try {
    return parseSessionEntry(JSON.stringify(entry));
  } catch (cause) {
    throw notALayout(path, `the record of ${key} is none`, formatReceivedValue(entry), cause);
  }
}

function notALayout(path: string, wrong: string, received: string, cause?: unknown): BanyanError {
  return new BanyanError(
    "state_dir_unusable",
    `loading ${path}: ${wrong}, received ${received}; remove the file and start the gateway, which writes it again`,
    { cause },
  );
}
