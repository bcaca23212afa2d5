import type { SessionRow, StoreReads } from "@banyan/store";
import { parseSessionRow } from "../session-record.ts";

/** No tree is deeper; a chain that is longer goes in a circle. */
export const MOST_ANCESTORS = 64;

export interface WalkedSession {
  readonly key: string;
  /** `undefined` for one that is gone: it is the last. */
  readonly row: SessionRow | undefined;
}

/** A session and those above it, up to the top of its tree. Each is given once, also where records lead in a circle. */
export async function* walkUp(key: string, read: Pick<StoreReads, "session">): AsyncGenerator<WalkedSession> {
  const seen = new Set<string>();
  for (let at: string | undefined = key; at !== undefined && !seen.has(at) && seen.size < MOST_ANCESTORS; ) {
    seen.add(at);
    const row: SessionRow | undefined = await read.session(at);
    yield { key: at, row };
    at = row === undefined ? undefined : parseSessionRow(row).entry.spawnedBy;
  }
}
