import type { ReceiveStep, Refused } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

/**
 * Why a batch of inputs cannot be stored, decided before its first write. Looks at the sessions as the items before each
 * one would leave them.
 */
export function findReceiveRefusal(tables: Tables, step: ReceiveStep): Refused | undefined {
  if (isStale(tables, step)) return { status: "refused", reason: "stale_route" };
  const revisions = new Map<string, number>();
  const findRevision = (key: string) => {
    const revision = revisions.get(key) ?? tables.sessions.findRevision(key) ?? 0;
    revisions.set(key, revision);
    return revision;
  };
  const seen = new Set<string>();
  for (const item of step.items) {
    if (item.refused !== undefined || seen.has(item.dedupe)) continue;
    if (tables.items.findDuplicate(item.dedupe) !== undefined) continue;
    seen.add(item.dedupe);
    if (item.session !== undefined) {
      const { key, expectRevision } = item.session;
      const revision = findRevision(key);
      if (expectRevision !== 0 && expectRevision !== revision) return { status: "refused", reason: "conflict" };
      if (expectRevision === revision) revisions.set(key, revision + 1);
    }
    if (findRevision(item.lane) === 0) return { status: "refused", reason: "no_session" };
  }
  return undefined;
}

/** A step that was stored before is no decision any more. */
function isStale(tables: Tables, { routeRevision, items }: ReceiveStep): boolean {
  if (routeRevision === undefined || routeRevision === tables.routeRevision.get()) return false;
  return items.some(({ dedupe }) => tables.items.findDuplicate(dedupe) === undefined);
}
