/** Discord's ids: a time, a worker and a counter in 64 bits ("Snowflakes", docs.discord.com/developers/reference). */

/** Milliseconds since the epoch at which Discord's own count begins. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
/** The time stands above the worker, the process and the counter. */
const TIME_SHIFT_BITS = 22n;

/** When what has this id was made, in milliseconds since the epoch by Discord's clock. `id` is a decimal number. */
export function readSnowflakeTime(id: string): number {
  return Number(BigInt(id) >> TIME_SHIFT_BITS) + DISCORD_EPOCH_MS;
}
