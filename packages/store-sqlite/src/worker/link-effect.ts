import type { LinkEffect, Refused } from "@banyan/store";
import type { Tables } from "./tables.ts";

/** Looked at before the first write of the command. */
export function findLinkRefusal(tables: Tables, link: LinkEffect, nowMs: number): Refused | undefined {
  if (link.routeRevision !== tables.routeRevision.get()) return { status: "refused", reason: "stale_route" };
  if (!tables.writers.stand(link.expectWriters)) return { status: "refused", reason: "conflict" };
  const { redeem, offer } = link;
  const isGone = redeem !== undefined && tables.links.findCode(redeem, nowMs) === undefined;
  const same = offer && tables.links.findCode(offer.code, nowMs);
  const isTaken = same !== undefined && (same.channel !== offer?.channel || same.peer !== offer.peer);
  return isGone || isTaken ? { status: "refused", reason: "conflict" } : undefined;
}

export function runLinkEffect(tables: Tables, link: LinkEffect, nowMs: number): void {
  if (link.redeem !== undefined) tables.links.removeCode(link.redeem);
  if (link.voidOffer !== undefined) tables.links.removeCodeOf(link.voidOffer);
  if (link.offer !== undefined) tables.links.offerCode(link.offer, nowMs);
  tables.links.write(link.writes, nowMs);
  if (link.failure !== undefined) tables.links.addFailure(link.failure, nowMs);
  if (link.audit !== undefined) tables.audit.write(link.audit, nowMs);
}
