import type { NewAudit } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

export function writeAudit(tables: Tables, { actor, action, detail }: NewAudit, nowMs: number): void {
  tables.audit.push(Object.freeze({ id: tables.audit.length + 1, atMs: nowMs, actor, action, detail }));
}
