import type { NewAudit } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

export function writeAudit(tables: Tables, { actor, action, detail }: NewAudit, nowMs: number): void {
  const id = (tables.audit.at(-1)?.id ?? 0) + 1;
  tables.audit.push(Object.freeze({ id, atMs: nowMs, actor, action, detail }));
}

/** The newest stays whatever its age: the next one's id follows it. How many went. */
export function pruneAudit({ audit }: Tables, latestMs: number, limit: number): number {
  const first = audit.splice(0, Math.min(limit, Math.max(0, audit.length - 1)));
  const young = first.filter(({ atMs }) => atMs > latestMs);
  audit.unshift(...young);
  return first.length - young.length;
}
