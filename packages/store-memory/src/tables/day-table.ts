import type { DayCount } from "@banyan/plugin-sdk/store";
import { pairKey, type Tables } from "./tables.ts";

export function countDay({ days }: Tables, { subject, day, turns, tokens, costUsd }: DayCount, nowMs: number): void {
  const key = pairKey(subject, day);
  const { used, countedAtMs } = days.get(key) ?? { used: undefined, countedAtMs: nowMs };
  const sum = {
    turns: (used?.turns ?? 0) + turns,
    tokens: (used?.tokens ?? 0) + tokens,
    costUsd: (used?.costUsd ?? 0) + costUsd,
  };
  days.set(key, Object.freeze({ used: Object.freeze(sum), countedAtMs }));
}

export function pruneDays({ days }: Tables, latestMs: number): void {
  for (const [key, { countedAtMs }] of days) if (countedAtMs <= latestMs) days.delete(key);
}
