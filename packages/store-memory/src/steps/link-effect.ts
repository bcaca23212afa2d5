import type { LinkEffect, Refused } from "@banyan/plugin-sdk/store";
import { writeAudit } from "../tables/audit-table.ts";
import { addLinkFailure, findLinkCode, offerLinkCode, removeLinkCodes, writeLinks } from "../tables/link-table.ts";
import type { Tables } from "../tables/tables.ts";
import { standsWritten } from "../tables/writer-table.ts";

/** Looked at before the first write of the command. */
export function findLinkRefusal(tables: Tables, link: LinkEffect, nowMs: number): Refused | undefined {
  if (link.routeRevision !== tables.routes.revision) return { status: "refused", reason: "stale_route" };
  if (!standsWritten(tables, link.expectWriters)) return { status: "refused", reason: "conflict" };
  const { redeem, offer } = link;
  if (redeem !== undefined && !findLinkCode(tables, redeem, nowMs)) return { status: "refused", reason: "conflict" };
  const same = offer && findLinkCode(tables, offer.code, nowMs);
  const isTaken = same !== undefined && (same.channel !== offer?.channel || same.peer !== offer.peer);
  return isTaken ? { status: "refused", reason: "conflict" } : undefined;
}

export function applyLinkEffect(tables: Tables, link: LinkEffect, nowMs: number): void {
  if (link.redeem !== undefined) tables.routes.linkCodes.delete(link.redeem);
  if (link.voidOffer) removeLinkCodes(tables, link.voidOffer);
  if (link.offer) offerLinkCode(tables, link.offer, nowMs);
  writeLinks(tables, link.writes, nowMs);
  if (link.failure) addLinkFailure(tables, link.failure, nowMs);
  if (link.audit) writeAudit(tables, link.audit, nowMs);
}
