/** What of a record's use of a day is told to the store, which keeps one sum of it for each person and day. Pure. */
import type { DayUsage, SessionEntry } from "@banyan/plugin-sdk";
import type { DayCount } from "@banyan/store";

type UsedEntry = Pick<SessionEntry, "userId" | "dayUsage">;

/** What has come on top since the record was written last; `undefined`: nothing, or it is nobody's own, as in a group. */
export function countDayUse(before: UsedEntry | undefined, { userId, dayUsage }: UsedEntry): DayCount | undefined {
  if (userId === undefined || dayUsage === undefined) return undefined;
  const counted = before?.dayUsage?.day === dayUsage.day ? buildCount(userId, before.dayUsage, -1) : undefined;
  const now = buildCount(userId, dayUsage, 1);
  const fresh = counted === undefined ? now : addCounts(now, counted);
  return fresh.turns === 0 && fresh.tokens === 0 && fresh.costUsd === 0 ? undefined : fresh;
}

/** A conversation that goes on under another name takes what it has used of the day along. */
export function moveDayUse({ userId, dayUsage }: UsedEntry, to: string): readonly DayCount[] {
  if (userId === undefined || userId === to || dayUsage === undefined) return [];
  return [buildCount(userId, dayUsage, -1), buildCount(to, dayUsage, 1)];
}

function buildCount(subject: string, { day, turns, tokens = 0, costUsd = 0 }: DayUsage, sign: 1 | -1): DayCount {
  return { subject, day, turns: sign * turns, tokens: sign * tokens, costUsd: sign * costUsd };
}

function addCounts(one: DayCount, other: DayCount): DayCount {
  return {
    ...one,
    turns: one.turns + other.turns,
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd + other.costUsd,
  };
}
