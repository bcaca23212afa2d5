/** Discord's ids: a time, a worker and a counter in 64 bits ("Snowflakes", docs.discord.com/developers/reference). */

/** Milliseconds since the epoch at which Discord's own count begins. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
/** The time stands above the worker, the process and the counter. */
const TIME_SHIFT_BITS = 22n;

/** When what has this id was made, in milliseconds since the epoch by Discord's clock. `id` is a decimal number. */
export function readSnowflakeTime(id: string): number {
  return Number(BigInt(id) >> TIME_SHIFT_BITS) + DISCORD_EPOCH_MS;
}

/** The smallest id of that time, in milliseconds since the epoch: what is given `after` it was made then or later. */
export function buildSnowflake(timeMs: number): string {
  return String(BigInt(Math.max(0, Math.floor(timeMs - DISCORD_EPOCH_MS))) << TIME_SHIFT_BITS);
}

/** Asked several times for each event; a loop costs half of a pattern. */
export function isSnowflake(text: string): boolean {
  if (text.length === 0 || text.length > 20) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Older ids are smaller. Negative, 0 or positive, as `sort` wants it. */
export function compareSnowflakes(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}
