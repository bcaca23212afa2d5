import type { Completion } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import type { BudgetScope } from "../config/shapes/budget-config.ts";
import { parseSessionEntry } from "../sessions/parse-session-entry.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import { formatUtcDay } from "../sessions/update-after-run.ts";
import { type Amounts, addAmounts, NO_AMOUNTS, readConversationAmounts } from "./amounts.ts";

const PAGE_ROWS = 500;

type Reads = Pick<StoreReads, "session" | "runs" | "dayUsed">;

/** Which turns are counted together with one session's. */
export interface BudgetCircle {
  readonly scope: BudgetScope;
  /** Unique over all circles. */
  readonly id: string;
}

/** The session at the top of the tree that this one stands in. */
export async function readRootKey({ key, entry }: Pick<SessionRecord, "key" | "entry">, read: Reads): Promise<string> {
  if (entry.spawnedBy === undefined) return key;
  const [first] = await read.runs({ childSessionKey: key, limit: 1 });
  return first?.rootSessionKey ?? entry.spawnedBy;
}

/** One conversation, as it stands in its record. */
export async function readSessionUsed(key: string, read: Reads): Promise<Amounts> {
  const row = await read.session(key);
  return row === undefined ? NO_AMOUNTS : readConversationAmounts(parseSessionEntry(row.body));
}

/** A conversation and every sub-agent that was asked for since it began. */
export async function readTreeUsed(rootKey: string, read: Reads): Promise<Amounts> {
  const row = await read.session(rootKey);
  if (row === undefined) return NO_AMOUNTS;
  const root = parseSessionEntry(row.body);
  const below = await readBelowUsed(rootKey, root.sessionStartedAt ?? 0, read);
  return addAmounts(readConversationAmounts(root), below);
}

/** A person's conversations of one day and the sub-agents below them: one row, however many there are. */
export async function readSenderDayUsed(userId: string, now: number, read: Reads): Promise<Amounts> {
  return (await read.dayUsed({ subject: userId, day: formatUtcDay(now) })) ?? NO_AMOUNTS;
}

/**
 * Each session below is counted once, also where it was put away; of one that was deleted, what its result says.
 * `sinceMs`: since when it was asked for, in milliseconds since the epoch.
 */
async function readBelowUsed(rootSessionKey: string, sinceMs: number, read: Reads): Promise<Amounts> {
  const seen = new Set<string>();
  let used = NO_AMOUNTS;
  for (let afterRunId: string | undefined; ; ) {
    const after = afterRunId === undefined ? {} : { afterRunId };
    const page = await read.runs({ rootSessionKey, limit: PAGE_ROWS, ...after });
    for (const { childSessionKey, createdAtMs, result } of page) {
      if (createdAtMs < sinceMs || seen.has(childSessionKey)) continue;
      seen.add(childSessionKey);
      const row = await read.session(childSessionKey);
      if (row !== undefined) used = addAmounts(used, readConversationAmounts(parseSessionEntry(row.body)));
      else if (result !== undefined) used = addAmounts(used, readResultAmounts(result));
    }
    afterRunId = page.at(-1)?.runId;
    if (page.length < PAGE_ROWS) return used;
  }
}

function readResultAmounts(result: string): Amounts {
  const { totalTokens = 0, costUsd = 0 }: Completion = JSON.parse(result);
  return { tokens: totalTokens, turns: 1, costUsd };
}
