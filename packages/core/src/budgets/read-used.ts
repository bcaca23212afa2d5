import type { Completion } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/plugin-sdk/store";
import type { BudgetScope } from "../config/shapes/budget-config.ts";
import { parseSessionEntry } from "../sessions/parse-session-entry.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import { formatUtcDay } from "../sessions/update-after-run.ts";
import { type Amounts, addAmounts, NO_AMOUNTS, readConversationAmounts, readDayAmounts } from "./amounts.ts";

const PAGE_ROWS = 500;

type Reads = Pick<StoreReads, "session" | "sessions" | "runs">;

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

/** Whose day it counts in: of a sub-agent, that of whoever stands at the top. `undefined` for groups: nobody's own. */
export async function readSender(rootKey: string, read: Reads): Promise<string | undefined> {
  const row = await read.session(rootKey);
  return row === undefined ? undefined : parseSessionEntry(row.body).userId;
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
  const since = root.sessionStartedAt ?? 0;
  const below = await readBelowUsed(rootKey, { read, isCounted: (at) => at >= since }, readConversationAmounts);
  return addAmounts(readConversationAmounts(root), below);
}

/** A person's conversations of one day and the sub-agents below them. Reads every session, so only where it is limited. */
export async function readSenderDayUsed(userId: string, now: number, read: Reads): Promise<Amounts> {
  const day = formatUtcDay(now);
  const mark = JSON.stringify(userId);
  let used = NO_AMOUNTS;
  for (let afterKey: string | undefined; ; ) {
    const page = await read.sessions({ limit: PAGE_ROWS, ...(afterKey === undefined ? {} : { afterKey }) });
    // Most are somebody else's: they need not be parsed.
    for (const row of page.filter(({ body }) => body.includes(mark))) {
      const entry = parseSessionEntry(row.body);
      if (entry.userId !== userId) continue;
      const ofDay = (of: typeof entry) => readDayAmounts(of, day);
      const below = await readBelowUsed(row.key, { read, isCounted: () => true }, ofDay);
      used = addAmounts(used, addAmounts(ofDay(entry), below));
    }
    afterKey = page.at(-1)?.key;
    if (page.length < PAGE_ROWS) return used;
  }
}

interface Below {
  readonly read: Reads;
  /** By when the run was asked for, in milliseconds since the epoch. */
  isCounted(createdAtMs: number): boolean;
}

/** Each session below is counted once, also where it was put away; of one that was deleted, what its result says. */
async function readBelowUsed(
  rootSessionKey: string,
  { read, isCounted }: Below,
  readAmounts: (entry: ReturnType<typeof parseSessionEntry>) => Amounts,
): Promise<Amounts> {
  const seen = new Set<string>();
  let used = NO_AMOUNTS;
  for (let afterRunId: string | undefined; ; ) {
    const after = afterRunId === undefined ? {} : { afterRunId };
    const page = await read.runs({ rootSessionKey, limit: PAGE_ROWS, ...after });
    for (const { childSessionKey, createdAtMs, result } of page) {
      if (!isCounted(createdAtMs) || seen.has(childSessionKey)) continue;
      seen.add(childSessionKey);
      const row = await read.session(childSessionKey);
      if (row !== undefined) used = addAmounts(used, readAmounts(parseSessionEntry(row.body)));
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
