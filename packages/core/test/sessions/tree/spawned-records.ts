import type { SessionRow, StoreReads } from "@banyan/store";
import { openSessionEntry } from "../../../src/sessions/open-session-entry.ts";

const SESSION_ID = "0e1c7ad2-6f7e-4b43-9f5a-3a1d2c4b5e6f";

/** Which session each was spawned by; `""` by none. */
export type Parents = Readonly<Record<string, string>>;

export function buildSpawned(key: string, spawnedBy: string): SessionRow {
  const opened = openSessionEntry({ key: "agent:main:main", sessionId: SESSION_ID, now: 0 });
  const body = JSON.stringify(spawnedBy === "" ? opened : { ...opened, spawnedBy });
  return { key, sessionId: SESSION_ID, agentId: "main", file: opened.sessionFile, revision: 1, updatedAtMs: 0, body };
}

export function createSpawnedReads(parents: Parents): Pick<StoreReads, "session"> {
  return {
    async session(key) {
      const spawnedBy = parents[key];
      return spawnedBy === undefined ? undefined : buildSpawned(key, spawnedBy);
    },
  };
}
