/** Discord's ids hold their time: milliseconds since the first second of 2015, above 22 bits (documentation, "Reference"). */

const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

/** Milliseconds since the epoch; `undefined` for text that is no id. */
export function parseSnowflakeTime(id: string): number | undefined {
  return isSnowflake(id) ? Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS : undefined;
}

/** The smallest id of that time: what is given `after` it was made then or later. */
export function buildSnowflake(timeMs: number): string {
  return String(BigInt(Math.max(0, Math.floor(timeMs - EPOCH_MS))) << TIME_SHIFT);
}

export function isSnowflake(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}

/** Older ids are smaller. Negative, 0 or positive, as `sort` wants it. */
export function compareSnowflakes(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}
