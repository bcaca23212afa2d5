import { BanyanError, canonicalizeSessionKey, parseAgentSessionKey } from "@banyan/core";
import type { SessionRow, StoreReads } from "@banyan/store";
import { cutEllipsis } from "../terminal/plain-text.ts";
import { iterateSessions } from "./list-sessions.ts";

const MOST_NAMED = 5;

/**
 * Finds the one session that a person means: its key, its id, or the beginning of either; of a key also the beginning of
 * what stands behind the agent (`telegram:dm:75…`). Throws `session_not_found` for none and for several.
 */
export async function findSession(read: StoreReads, typed: string): Promise<SessionRow> {
  const given = cutEllipsis(typed);
  const key = canonicalizeSessionKey(given);
  const exact = (await read.session(key ?? given)) ?? (await read.sessionById(given));
  if (exact !== undefined) return exact;
  const found: SessionRow[] = [];
  for await (const row of iterateSessions(read)) {
    if (begins(row, given)) found.push(row);
    if (found.length > MOST_NAMED) break;
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const wrong =
    only === undefined
      ? `none has this key or id, received ${JSON.stringify(given)}; banyan sessions list shows them`
      : `${found.length > MOST_NAMED ? `more than ${MOST_NAMED}` : found.length} begin so, received ${JSON.stringify(given)}; give more of one of them: ${nameSome(found)}`;
  throw new BanyanError("session_not_found", `looking up a session: ${wrong}`);
}

function begins(row: SessionRow, start: string): boolean {
  if (start === "") return false;
  const rest = parseAgentSessionKey(row.key)?.rest ?? "";
  return row.key.startsWith(start) || rest.startsWith(start) || row.sessionId.startsWith(start);
}

function nameSome(rows: readonly SessionRow[]): string {
  return rows
    .slice(0, MOST_NAMED)
    .map((row) => row.key)
    .join(", ");
}
