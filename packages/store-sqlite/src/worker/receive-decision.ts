import type { ReceiveStep, Refused } from "@banyan/store";
import type { Tables } from "./tables.ts";

/** Inputs that are not in the store yet, by `dedupe`: the revision of the session that each one goes to. */
export type FreshInputs = Map<string, number>;

type ReceiveDecision =
  | Refused
  | {
      readonly fresh: FreshInputs;
      /** Lanes whose session is archived. */
      readonly archived: Set<string>;
    };

/**
 * Whether a batch of inputs can be stored, decided before its first write. Looks at the sessions as the items before each
 * one would leave them.
 */
export function decideReceive(tables: Tables, step: ReceiveStep): ReceiveDecision {
  if (isStale(tables, step)) return { status: "refused", reason: "stale_route" };
  const revisions = new Map<string, number>();
  const archived = new Set<string>();
  const findRevision = (key: string) => {
    const known = revisions.get(key);
    if (known !== undefined) return known;
    const session = tables.sessions.findStanding(key);
    if (session?.isArchived === true) archived.add(key);
    revisions.set(key, session?.revision ?? 0);
    return session?.revision ?? 0;
  };
  const fresh: FreshInputs = new Map();
  const reopened = new Set<string>();
  for (const item of step.items) {
    if (item.refused !== undefined || fresh.has(item.dedupe)) continue;
    if (item.follows !== undefined && !fresh.has(item.follows)) continue;
    if (tables.items.findDuplicate(item.dedupe) !== undefined) continue;
    if (item.session !== undefined) {
      const { key, expectRevision } = item.session;
      const revision = findRevision(key);
      if (expectRevision !== 0 && expectRevision !== revision) return { status: "refused", reason: "conflict" };
      if (expectRevision === revision) revisions.set(key, revision + 1);
    }
    const present = findRevision(item.lane);
    if (present === 0) return { status: "refused", reason: "no_session" };
    const isReopened = archived.has(item.lane) && !reopened.has(item.lane);
    if (isReopened) reopened.add(item.lane);
    const left = isReopened ? present + 1 : present;
    revisions.set(item.lane, left);
    fresh.set(item.dedupe, left);
  }
  return { fresh, archived };
}

/** A step that was stored before is no decision any more. */
function isStale(tables: Tables, { routeRevision, items }: ReceiveStep): boolean {
  if (routeRevision === undefined || routeRevision === tables.routeRevision.get()) return false;
  return items.some(({ dedupe }) => tables.items.findDuplicate(dedupe) === undefined);
}
