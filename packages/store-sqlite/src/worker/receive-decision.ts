import type { ReceiveStep, Refused } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

/** Inputs that are not in the store yet, by `dedupe`: the revision of the session that each one goes to. */
export type FreshInputs = Map<string, number>;

/**
 * Whether a batch of inputs can be stored, decided before its first write. Looks at the sessions as the items before each
 * one would leave them.
 */
export function decideReceive(tables: Tables, step: ReceiveStep): Refused | { readonly fresh: FreshInputs } {
  if (isStale(tables, step)) return { status: "refused", reason: "stale_route" };
  const revisions = new Map<string, number>();
  const findRevision = (key: string) => {
    const revision = revisions.get(key) ?? tables.sessions.findRevision(key) ?? 0;
    revisions.set(key, revision);
    return revision;
  };
  const fresh: FreshInputs = new Map();
  for (const item of step.items) {
    if (item.refused !== undefined || fresh.has(item.dedupe)) continue;
    if (tables.items.findDuplicate(item.dedupe) !== undefined) continue;
    if (item.session !== undefined) {
      const { key, expectRevision } = item.session;
      const revision = findRevision(key);
      if (expectRevision !== 0 && expectRevision !== revision) return { status: "refused", reason: "conflict" };
      if (expectRevision === revision) revisions.set(key, revision + 1);
    }
    const present = findRevision(item.lane);
    if (present === 0) return { status: "refused", reason: "no_session" };
    fresh.set(item.dedupe, present);
  }
  return { fresh };
}

/** A step that was stored before is no decision any more. */
function isStale(tables: Tables, { routeRevision, items }: ReceiveStep): boolean {
  if (routeRevision === undefined || routeRevision === tables.routeRevision.get()) return false;
  return items.some(({ dedupe }) => tables.items.findDuplicate(dedupe) === undefined);
}
