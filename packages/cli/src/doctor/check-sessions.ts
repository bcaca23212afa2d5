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
import type { StoreReads } from "@banyan/store";
import { createReaderList } from "../gateway/route-check.ts";
import { iterateSessions } from "../state/list-sessions.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
import type { Finding } from "./finding.ts";

const SUBJECT = "sessions";
/** More are counted, and listed by `--json`. */
const MOST_NAMED = 5;
/** Conversations put away beside one key before the operator has to think of a name. */
const MOST_PUT_AWAY = 99;
/** How a conversation is called that was put out of the way as the doctor or a start advised. */
const PUT_AWAY = /-before(-\d{1,2})?$/;

export interface SessionCheck {
  readonly findings: readonly Finding[];
  readonly orphaned: readonly OrphanedSession[];
}

/** Sessions that no present setting reaches: their history would be lost from sight after a change of scope or links. */
export async function checkSessions(loaded: LoadedConfig, channels: readonly GatewayChannel[]): Promise<SessionCheck> {
  if (loaded.config.store.driver === "memory") return { findings: [], orphaned: [] };
  const found = await readState(loaded.config, (read) => listOrphans(read, loaded, channels));
  if (found === undefined) return { findings: [], orphaned: [] };
  const { total, orphaned, cures } = found;
  const named = orphaned.filter(({ key }) => cures.has(key));
  const kept = orphaned.length - named.length;
  const rest = kept === 0 ? "" : `, ${kept} of them reached by no message any more and kept (--json lists them)`;
  const head: Finding = { subject: SUBJECT, level: "ok", text: `${countOf(total, "session")}${rest}` };
  const more = named.length - MOST_NAMED;
  const tail: Finding = {
    subject: SUBJECT,
    level: "warning",
    text: `${more} more like these`,
    cure: "banyan doctor --json lists all",
  };
  const findings = named.slice(0, MOST_NAMED).map((orphan) => buildFinding(orphan, cures.get(orphan.key) ?? ""));
  return { findings: [head, ...findings, ...(more > 0 ? [tail] : [])], orphaned };
}

async function listOrphans(read: StoreReads, { config }: LoadedConfig, channels: readonly GatewayChannel[]) {
  const routes = {
    routes: config.routes,
    defaultAgent: config.defaultAgent,
    scope: config.session.scope,
    dmScope: config.session.dmScope,
  };
  const stored = await read.routes();
  const view = buildRoutePicture(stored, parseIdentityLinks(config.session.identityLinks));
  const accounts = Object.entries(config.channels).flatMap(([channel, { accounts: named }]) =>
    Object.keys(named).map((account) => ({ channel, account })),
  );
  const rules = { routes, view, agents: Object.keys(config.agents), accounts };
  const readers = {
    links: view.links,
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
  return { total, orphaned, cures: await listCures(read, orphaned) };
}

/** What brings each orphan back, by its key; those that have no way back, or were put away, are not in it. */
async function listCures(
  read: Pick<StoreReads, "session">,
  orphaned: readonly OrphanedSession[],
): Promise<ReadonlyMap<string, string>> {
  const counts = new Map<string, number>();
  for (const { target } of orphaned) if (target !== undefined) counts.set(target, (counts.get(target) ?? 0) + 1);
  const cures = new Map<string, string>();
  for (const { key, target } of orphaned) {
    if (target === undefined) continue;
    const move = `banyan sessions rekey ${key} ${target}`;
    const there = await read.session(target);
    if (there === undefined) {
      const isAlone = counts.get(target) === 1;
      cures.set(key, isAlone ? move : `${move}, for the one conversation that is to go on there`);
    } else if (!PUT_AWAY.test(key)) {
      const aside = await resolveFreeKey(read, target, there.agentId);
      cures.set(key, `banyan sessions rekey ${target} ${aside}\n${move}`);
    }
  }
  return cures;
}

/** A key beside the given one that nothing leads to and that has no session. */
async function resolveFreeKey(read: Pick<StoreReads, "session">, key: string, agentId: string): Promise<string> {
  const [last = ""] = key.split(":").slice(-1);
  const isAlone = key === `agent:${agentId}:${last}` || key === last;
  const before = isAlone ? `agent:${agentId}:dm:${last}-before` : `${key}-before`;
  for (let serial = 1; serial <= MOST_PUT_AWAY; serial += 1) {
    const free = serial === 1 ? before : `${before}-${serial}`;
    if ((await read.session(free)) === undefined) return free;
  }
  return "NEW";
}

function buildFinding({ key, reason, target }: OrphanedSession, cure: string): Finding {
  const isTaken = cure.includes("\n");
  const other = isTaken ? `, and another conversation has ${target}; these two lines let them change places` : "";
  return { subject: SUBJECT, level: "warning", text: `no message reaches ${key} any more: ${reason}${other}`, cure };
}
