import type { LinkCodeRow, LinkEffect, LinkWrite, NewLinkCode } from "@banyan/plugin-sdk/store";
import { pairKey, type Tables } from "./tables.ts";

export function standsLinked(tables: Tables, { channel, peer, person }: LinkWrite): boolean {
  return (tables.routes.links.get(pairKey(channel, peer))?.person ?? null) === person;
}

/** What stands as it should is left alone. */
export function writeLinks(tables: Tables, writes: readonly LinkWrite[], nowMs: number): void {
  const changed = writes.filter((write) => {
    if (standsLinked(tables, write)) return false;
    const { channel, peer, person } = write;
    if (person === null) tables.routes.links.delete(pairKey(channel, peer));
    else tables.routes.links.set(pairKey(channel, peer), Object.freeze({ channel, peer, person, linkedAtMs: nowMs }));
    return true;
  });
  if (changed.length > 0) tables.routes.revision += 1;
}

export function findLinkCode(tables: Tables, code: string, nowMs: number): LinkCodeRow | undefined {
  const row = tables.routes.linkCodes.get(code);
  return row && row.expiresAtMs > nowMs ? row : undefined;
}

/** Takes the place of the account's earlier one. */
export function offerLinkCode(tables: Tables, { ttlMs, ...offer }: NewLinkCode, nowMs: number): void {
  removeLinkCodes(tables, offer);
  tables.routes.linkCodes.set(offer.code, Object.freeze({ ...offer, expiresAtMs: nowMs + ttlMs }));
}

/** Those of one account. */
export function removeLinkCodes({ routes }: Tables, { channel, peer }: Pick<LinkCodeRow, "channel" | "peer">): void {
  for (const row of routes.linkCodes.values()) {
    if (row.channel === channel && row.peer === peer) routes.linkCodes.delete(row.code);
  }
}

export function countLinkFailures(tables: Tables, channel: string, peer: string, nowMs: number): number {
  const row = tables.routes.linkFailures.get(pairKey(channel, peer));
  return row && row.expiresAtMs > nowMs ? row.count : 0;
}

export function addLinkFailure(tables: Tables, failure: NonNullable<LinkEffect["failure"]>, nowMs: number): void {
  const { channel, peer, windowMs } = failure;
  const count = countLinkFailures(tables, channel, peer, nowMs) + 1;
  tables.routes.linkFailures.set(pairKey(channel, peer), { count, expiresAtMs: nowMs + windowMs });
}
