import {
  buildRoutePicture,
  findForeignReader,
  findOrphanedSession,
  type GatewayChannel,
  type LoadedConfig,
  listDmScopes,
  type OrphanedSession,
  parseIdentityLinks,
} from "@banyan/core";
import type { StoreReads } from "@banyan/plugin-sdk/store";
import { createReaderList } from "../gateway/route-check.ts";
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
export async function checkSessions(loaded: LoadedConfig, channels: readonly GatewayChannel[]): Promise<SessionCheck> {
  if (loaded.config.store.driver === "memory") return { findings: [], orphaned: [] };
  const found = await readState(loaded.config, (read) => listOrphans(read, loaded, channels));
  if (found === undefined) return { findings: [], orphaned: [] };
  const { total, orphaned, free } = found;
  const movable = orphaned.filter(({ target }) => target !== undefined && free.has(target));
  const kept = orphaned.length - movable.length;
  const rest = kept === 0 ? "" : `, ${kept} of them reached by no message any more and kept (--json lists them)`;
  const head: Finding = { subject: SUBJECT, level: "ok", text: `${countOf(total, "session")}${rest}` };
  const named = movable.slice(0, MOST_NAMED).map(buildFinding);
  const more = movable.length - named.length;
  const tail: Finding[] =
    more > 0
      ? [
          {
            subject: SUBJECT,
            level: "warning",
            text: `${more} more like these`,
            cure: "banyan doctor --json lists all",
          },
        ]
      : [];
  return { findings: [head, ...named, ...tail], orphaned };
}

async function listOrphans(read: StoreReads, { config }: LoadedConfig, channels: readonly GatewayChannel[]) {
  const routes = {
    routes: config.routes,
    defaultAgent: config.defaultAgent,
    scope: config.session.scope,
    dmScope: config.session.dmScope,
  };
  const stored = await read.routes();
  const picture = buildRoutePicture(stored, parseIdentityLinks(config.session.identityLinks));
  const accounts = Object.entries(config.channels).flatMap(([channel, { accounts: named }]) =>
    Object.keys(named).map((account) => ({ channel, account })),
  );
  const rules = { routes, picture, agents: Object.keys(config.agents), accounts };
  const readers = {
    links: picture.links,
    scope: config.session.scope,
    dmScopes: listDmScopes(config.session.dmScope, config.routes),
    shared: createReaderList(config, channels)(stored),
  };
  const orphaned: OrphanedSession[] = [];
  let total = 0;
  for await (const { key } of iterateSessions(read)) {
    total += 1;
    const writers = await read.writers(key);
    const orphan = findOrphanedSession({ key, writers }, rules);
    if (orphan === undefined) continue;
    const { target, ...rest } = orphan;
    // A move that would show one person what another has written is nothing to advise.
    const isOwn = target !== undefined && findForeignReader(target, writers, readers) === undefined;
    orphaned.push(isOwn ? orphan : rest);
  }
  return { total, orphaned, free: await findFreeTargets(read, orphaned) };
}

/** Keys to which one session alone could move, where none stands yet. */
async function findFreeTargets(read: StoreReads, orphaned: readonly OrphanedSession[]): Promise<ReadonlySet<string>> {
  const counts = new Map<string, number>();
  for (const { target } of orphaned) if (target !== undefined) counts.set(target, (counts.get(target) ?? 0) + 1);
  const free = new Set<string>();
  for (const [target, count] of counts) {
    if (count === 1 && (await read.session(target)) === undefined) free.add(target);
  }
  return free;
}

function buildFinding({ key, reason, target }: OrphanedSession): Finding {
  const text = `no message reaches ${key} any more: ${reason}`;
  return { subject: SUBJECT, level: "warning", text, cure: `banyan sessions rekey ${key} ${target}` };
}
