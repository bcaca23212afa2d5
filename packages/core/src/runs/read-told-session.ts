import { type Address, isAddress, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { BindingRow, RunRow, SessionRow, StoreReads } from "@banyan/store";
import { classifySessionKey } from "../sessions/keys/session-key-kind.ts";
import { walkUp } from "../sessions/tree/walk-up.ts";
import type { ToldSession } from "./decide-speaker.ts";

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
 * The target is the route that was frozen, but for a requester whose thread has been bound anew: then that thread, if it
 * is of the same chat. What was asked for elsewhere, through a focus, stays there: other people may read the thread.
 */
export async function readToldSession(run: RunRow, read: StoreReads): Promise<ToldFacts> {
  const { route } = run;
  if (!isAddress(route)) throw new TypeError(`A run's end was decided: ${run.runId} has no route, but ${route}`);
  const living = await findLiving(run.requesterSessionKey, read);
  if (living === undefined) return { told: undefined, target: route };
  const { key, sessionId } = living;
  if (!isChildSession(key)) return { told: { key, sessionId, isChild: false, isBound: false }, target: route };
  const bindings = await read.bindings({ sessionKey: key });
  const child = { key, sessionId, isChild: true };
  if (bindings.some(({ address }) => address === route)) return { told: { ...child, isBound: true }, target: route };
  const isInThread = parseAddress(route).thread !== undefined;
  const bound = isInThread ? findNewestThread(bindings, resolveChatOf(route)) : undefined;
  return { told: { ...child, isBound: bound !== undefined }, target: bound ?? route };
}

function findNewestThread(bindings: readonly BindingRow[], chat: Address): Address | undefined {
  return bindings
    .filter(({ kind }) => kind === "thread")
    .toSorted((one, other) => other.createdAtMs - one.createdAtMs)
    .map(({ address }) => address)
    .filter(isAddress)
    .find((address) => resolveChatOf(address) === chat);
}

async function findLiving(requester: string, read: StoreReads): Promise<SessionRow | undefined> {
  for await (const { row } of walkUp(requester, read)) {
    if (row !== undefined && row.archivedAtMs === undefined) return row;
  }
  return undefined;
}
