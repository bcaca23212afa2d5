import { type Address, isAddress } from "@banyan/plugin-sdk";
import type { RunRow, SessionRow, StoreReads } from "@banyan/plugin-sdk/store";
import { classifySessionKey } from "../sessions/keys/session-key-kind.ts";
import { parseSessionRow } from "../sessions/session-record.ts";
import type { ToldSession } from "./decide-speaker.ts";
import { parseRunBody } from "./run-body.ts";

/** No tree is deeper; a chain that is longer goes in a circle. */
const MOST_ANCESTORS = 64;

export function isChildSession(key: string): boolean {
  const kind = classifySessionKey(key);
  return kind === "subagent" || kind === "acp";
}

export interface ToldFacts {
  readonly told: ToldSession | undefined;
  readonly target: Address;
}

/**
 * Who gets a run's completion, and where the chat is told: the requester, else the nearest session above it that lives.
 * The target is the route that was frozen, but for a requester whose thread has been bound anew: then that thread.
 */
export async function readToldSession(run: RunRow, read: StoreReads): Promise<ToldFacts> {
  const { route } = run;
  if (!isAddress(route)) throw new TypeError(`A run's end was decided: ${run.runId} has no route, but ${route}`);
  const living = await findLiving(run.requesterSessionKey, read);
  if (living === undefined) return { told: undefined, target: route };
  const { key, sessionId } = living;
  if (!isChildSession(key)) return { told: { key, sessionId, isChild: false, isBound: false }, target: route };
  const bindings = await read.bindings({ sessionKey: key });
  const threads = bindings.filter(({ kind }) => kind === "thread");
  const newest = threads.toSorted((one, other) => other.createdAtMs - one.createdAtMs)[0];
  // Where a person talked with it when it asked for the run, and still does.
  const isFocused = bindings.some(({ kind, address }) => kind === "focus" && address === route);
  const isBound = newest !== undefined || (isFocused && !parseRunBody(run.body).isQuiet);
  const told = { key, sessionId, isChild: true, isBound };
  const isFrozenBound = threads.some(({ address }) => address === route);
  const bound = newest?.address;
  return { told, target: !isFrozenBound && bound !== undefined && isAddress(bound) ? bound : route };
}

async function findLiving(requester: string, read: StoreReads): Promise<SessionRow | undefined> {
  const seen = new Set<string>();
  for (let key: string | undefined = requester; key !== undefined && !seen.has(key); ) {
    if (seen.size >= MOST_ANCESTORS) return undefined;
    seen.add(key);
    const row = await read.session(key);
    if (row === undefined) return undefined;
    if (row.archivedAtMs === undefined) return row;
    key = parseSessionRow(row).entry.spawnedBy;
  }
  return undefined;
}
