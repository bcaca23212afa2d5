import {
  buildRoutePicture,
  findOrphanedSession,
  type LoadedConfig,
  type OrphanedSession,
  parseIdentityLinks,
} from "@banyan/core";
import type { StoreReads } from "@banyan/plugin-sdk/store";
import { iterateSessions } from "../state/list-sessions.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
import type { Finding } from "./finding.ts";

const SUBJECT = "sessions";
/** More are counted, and listed by `--json`. */
const MOST_NAMED = 5;

export interface SessionCheck {
  readonly findings: readonly Finding[];
  readonly orphaned: readonly OrphanedSession[];
}

/** Sessions that no present setting reaches: their history would be lost from sight after a change of scope or links. */
export async function checkSessions(loaded: LoadedConfig): Promise<SessionCheck> {
  if (loaded.config.store.driver === "memory") return { findings: [], orphaned: [] };
  const found = await readState(loaded.config, (read) => listOrphans(read, loaded));
  if (found === undefined) return { findings: [], orphaned: [] };
  const { total, orphaned } = found;
  if (orphaned.length === 0) {
    return { findings: [{ subject: SUBJECT, level: "ok", text: countOf(total, "session") }], orphaned };
  }
  const named = orphaned.slice(0, MOST_NAMED).map(buildFinding);
  const rest = orphaned.length - named.length;
  const more: Finding[] =
    rest > 0
      ? [
          {
            subject: SUBJECT,
            level: "warning",
            text: `${rest} more like these`,
            cure: "banyan doctor --json lists all",
          },
        ]
      : [];
  return { findings: [...named, ...more], orphaned };
}

async function listOrphans(read: StoreReads, { config }: LoadedConfig) {
  const routes = {
    routes: config.routes,
    defaultAgent: config.defaultAgent,
    scope: config.session.scope,
    dmScope: config.session.dmScope,
  };
  const picture = buildRoutePicture(await read.routes(), parseIdentityLinks(config.session.identityLinks));
  const accounts = Object.entries(config.channels).flatMap(([channel, { accounts: named }]) =>
    Object.keys(named).map((account) => ({ channel, account })),
  );
  const rules = { routes, picture, agents: Object.keys(config.agents), accounts };
  const orphaned: OrphanedSession[] = [];
  let total = 0;
  for await (const { key } of iterateSessions(read)) {
    total += 1;
    const orphan = findOrphanedSession({ key, writers: await read.writers(key) }, rules);
    if (orphan !== undefined) orphaned.push(orphan);
  }
  return { total, orphaned };
}

function buildFinding({ key, reason, target }: OrphanedSession): Finding {
  const cure =
    target === undefined
      ? `banyan sessions export ${key} keeps a copy; banyan sessions rekey ${key} NEW gives it another key`
      : `banyan sessions rekey ${key} ${target}`;
  return { subject: SUBJECT, level: "warning", text: `no message reaches ${key} any more: ${reason}`, cure };
}
