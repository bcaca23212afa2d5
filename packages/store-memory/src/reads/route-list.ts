import type { AuditRow, PairingRow, RouteSnapshot, StoreReads } from "@banyan/plugin-sdk/store";
import { listBindings } from "../tables/binding-table.ts";
import { countLinkFailures, findLinkCode } from "../tables/link-table.ts";
import { stands } from "../tables/pairing-table.ts";
import type { Tables } from "../tables/tables.ts";

type Query<Name extends "pairings" | "linkDesk" | "audit"> = Parameters<StoreReads[Name]>[0];

export function listRoutes(tables: Tables): RouteSnapshot {
  const { routes } = tables;
  const approved = [...routes.pairings.values()].filter(({ state }) => state === "approved");
  return {
    revision: routes.revision,
    approved: approved.map(({ channel, account, senderId }) => ({ channel, account, senderId })),
    links: [...routes.links.values()],
    chatMoves: [...routes.chatMoves.values()],
    bindings: listBindings(tables),
  };
}

export function listPairings(
  tables: Tables,
  { states, limit }: Query<"pairings">,
  nowMs: number,
): readonly PairingRow[] {
  const standing = [...tables.routes.pairings.values()].filter((row) => stands(row, nowMs));
  return standing.filter(({ state }) => states === undefined || states.includes(state)).slice(0, limit);
}

export function readLinkDesk(
  tables: Tables,
  { code, channel, peer }: Query<"linkDesk">,
  nowMs: number,
): Awaited<ReturnType<StoreReads["linkDesk"]>> {
  const offer = findLinkCode(tables, code, nowMs);
  const failures = countLinkFailures(tables, channel, peer, nowMs);
  return offer ? { offer, failures } : { failures };
}

/** An entry's place in the list is its id − 1. */
export function listAudit({ audit }: Tables, { afterId, limit }: Query<"audit">): readonly AuditRow[] {
  const { length } = audit;
  const found = afterId === undefined ? length - limit : audit.findIndex(({ id }) => id > afterId);
  const start = afterId !== undefined && found === -1 ? length : Math.max(0, found);
  return audit.slice(start, start + limit);
}
