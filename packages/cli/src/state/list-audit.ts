import { parseToolAudit } from "@banyan/core";
import type { AuditRow, StoreReads } from "@banyan/store";

const PAGE_ROWS = 1_000;

/** Which lines are wanted; what is absent excludes none. All but `agent` leave only lines about tools. */
export interface AuditFilter {
  readonly agent?: string;
  /** Its key. */
  readonly session?: string;
  readonly tool?: string;
  /** Only calls that were refused. */
  readonly refused?: boolean;
}

/** The newest lines that are wanted, the oldest of them first. With a filter all are looked through, a page at a time. */
export async function listAudit(
  read: Pick<StoreReads, "audit">,
  { limit, filter }: { readonly limit: number; readonly filter: AuditFilter },
): Promise<readonly AuditRow[]> {
  if (Object.values(filter).every((wanted) => wanted === undefined)) return read.audit({ limit });
  let found: readonly AuditRow[] = [];
  for (let afterId = 0; ; ) {
    const page = await read.audit({ afterId, limit: PAGE_ROWS });
    found = [...found, ...page.filter((row) => isWanted(row, filter))].slice(-limit);
    if (page.length < PAGE_ROWS) return found;
    afterId = page.at(-1)?.id ?? afterId;
  }
}

function isWanted(row: AuditRow, { agent, session, tool, refused }: AuditFilter): boolean {
  if (agent !== undefined && row.actor !== `agent ${agent}`) return false;
  if (session === undefined && tool === undefined && refused === undefined) return true;
  const call = parseToolAudit(row);
  if (call === undefined) return false;
  return (
    (session === undefined || call.session === session) &&
    (tool === undefined || call.tool === tool) &&
    (refused !== true || row.action === "tool-refused")
  );
}
