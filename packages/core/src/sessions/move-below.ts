import type { DayCount, SessionMove, SessionRow, SessionWrite } from "@banyan/store";
import { moveDayUse } from "./day-count.ts";
import { findMovedChild } from "./move-child.ts";
import { findPersonOfKey } from "./move-session.ts";
import { buildSessionWrite, parseSessionRow, type SessionRecord } from "./session-record.ts";

/** What goes along with a conversation that goes on under another key. */
export interface MovedBelow {
  readonly children: readonly SessionWrite[];
  /** What they have used of the day is the new person's. */
  readonly counts: readonly DayCount[];
}

/**
 * The children of a conversation name it by its new key, and all that is below it works for whom that names, as it did for
 * the one before: its use of the day is counted with that person's, now and from now on. `rows`: all sessions.
 */
export async function findMovedBelow(
  rows: AsyncIterable<SessionRow> | Iterable<SessionRow>,
  { from, to }: Pick<SessionMove, "from" | "to">,
  before: string | undefined,
): Promise<MovedBelow> {
  const below = await collectBelow(rows, from);
  const person = findPersonOfKey(to);
  const children: SessionWrite[] = [];
  const counts: DayCount[] = [];
  for (const { row, record } of below) {
    const isTheirs = person !== undefined && person !== before && record.entry.userId === before;
    const renamed = findMovedChild(row, (parent) => (parent === from ? to : undefined), []);
    if (!isTheirs) {
      if (renamed !== undefined) children.push(renamed);
      continue;
    }
    const entry = renamed === undefined ? record.entry : parseSessionRow({ ...row, body: renamed.body }).entry;
    children.push(buildSessionWrite(record, { ...entry, userId: person }));
    counts.push(...moveDayUse(record.entry, person));
  }
  return { children, counts };
}

interface Below {
  readonly row: SessionRow;
  readonly record: SessionRecord;
}

/** Most records name no parent, and are neither parsed nor kept. */
async function collectBelow(
  rows: AsyncIterable<SessionRow> | Iterable<SessionRow>,
  from: string,
): Promise<readonly Below[]> {
  const byParent = new Map<string, Below[]>();
  for await (const row of rows) {
    if (!row.body.includes('"spawnedBy"') && !row.body.includes('"parentSessionKey"')) continue;
    const record = parseSessionRow(row);
    const { spawnedBy, parentSessionKey } = record.entry;
    for (const parent of new Set([spawnedBy, parentSessionKey])) {
      if (parent === undefined) continue;
      const children = byParent.get(parent) ?? [];
      children.push({ row, record });
      byParent.set(parent, children);
    }
  }
  const found = new Map<string, Below>();
  const open = [from];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const each of byParent.get(parent) ?? []) {
      if (found.has(each.row.key) || each.row.key === from) continue;
      found.set(each.row.key, each);
      open.push(each.row.key);
    }
  }
  return [...found.values()];
}
