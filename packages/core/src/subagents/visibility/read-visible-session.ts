import type { SessionRow, StoreReads } from "@banyan/store";
import { parseSessionRow, type SessionRecord } from "../../sessions/session-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { decideVisibility, type PlacedSession } from "./decide-visibility.ts";
import { readLineage } from "./read-lineage.ts";

/** A session that the caller may reach. */
export interface VisibleSession {
  readonly record: SessionRecord;
  /** The caller has spawned it, or something that it spawned has. */
  readonly isBelow: boolean;
  readonly rootSessionKey: string;
  /** It was put away: it can be looked at, and takes no input. */
  readonly isArchived: boolean;
}

type Reads = Pick<StoreReads, "session">;
export type VisibilityParts = Pick<SubagentParts, "store" | "sessionTools">;

/**
 * The session under a key, as far as the caller may reach it. `undefined` for one that it may not see as for one that
 * does not exist: whoever asks must answer both alike, so that nobody finds out by asking who talks with an agent.
 */
export async function readVisibleSession(
  callerKey: string,
  targetKey: string,
  { store, sessionTools }: VisibilityParts,
): Promise<VisibleSession | undefined> {
  const [caller, row] = await Promise.all([readPlaced(callerKey, store.read), store.read.session(targetKey)]);
  if (caller === undefined || row === undefined) return undefined;
  return judgeSession(row, caller, sessionTools, store.read);
}

/** The caller itself, as others are judged against it. */
export async function readPlaced(key: string, read: Reads): Promise<PlacedSession | undefined> {
  const row = await read.session(key);
  return row === undefined ? undefined : (await placeSession(parseSessionRow(row), read)).placed;
}

export async function judgeSession(
  row: SessionRow,
  caller: PlacedSession,
  rules: VisibilityParts["sessionTools"],
  read: Reads,
): Promise<VisibleSession | undefined> {
  const record = parseSessionRow(row);
  const { placed, lineage } = await placeSession(record, read);
  const isBelow = lineage.slice(1).includes(caller.key);
  if (decideVisibility({ caller, target: placed, isBelow, rules }) === "hidden") return undefined;
  const { rootSessionKey } = placed;
  return { record, isBelow, rootSessionKey, isArchived: row.archivedAtMs !== undefined };
}

async function placeSession(
  record: SessionRecord,
  read: Reads,
): Promise<{ readonly placed: PlacedSession; readonly lineage: readonly string[] }> {
  const lineage = await readLineage(record, read);
  const { key, agentId } = record;
  return { placed: { key, agentId, rootSessionKey: lineage.at(-1) ?? key }, lineage };
}
