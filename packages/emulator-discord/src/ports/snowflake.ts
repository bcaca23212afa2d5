import type { Clock } from "@banyan/emulator-kit";

/** Discord counts time from the first second of 2015 (its reference, "Snowflakes"). */
const EPOCH_MS = 1_420_070_400_000;
const IDS_PER_MS = 4096;
const TIME_SHIFT = 22n;

/** Gives ids that only grow, each with its time; where more are wanted than a millisecond has, the next one lends. */
export function createSnowflakes(clock: Clock): () => string {
  let lastMs = 0;
  let count = 0;
  return () => {
    const sinceEpochMs = Math.max(lastMs, Math.trunc(clock.nowMs()) - EPOCH_MS);
    count = sinceEpochMs === lastMs ? count + 1 : 0;
    lastMs = sinceEpochMs;
    if (count >= IDS_PER_MS) {
      lastMs += 1;
      count = 0;
    }
    return ((BigInt(lastMs) << TIME_SHIFT) + BigInt(count)).toString();
  };
}

/** Below zero where `a` is the older one. */
export function compareSnowflakes(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** When the id was given, in milliseconds since 1970. */
export function readSnowflakeTime(id: string): number {
  return Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS;
}

export function isSnowflake(value: string): boolean {
  return /^\d{1,20}$/.test(value);
}
