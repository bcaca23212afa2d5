/** Threads and channels that are there and take no message of the bot's, as they are kept for the next life. Pure. */
import { z } from "zod";
import { isSnowflake } from "../snowflake.ts";

export interface ShutPlace {
  readonly id: string;
  /** The channel above a thread; the channel itself where it is none. */
  readonly parentId: string;
  /** Of a channel, for the operator: the permissions that the bot lacks there. */
  readonly lacking?: string;
}

/** An answer was refused in each of them, about 80 bytes each. What is above is refused once more. */
const MOST_SHUT = 200;

const snowflake = z.string().refine(isSnowflake);
const stored = z.object({ id: snowflake, parentId: snowflake, lacking: z.string().optional() });

/** `undefined` for what no version of ours wrote. */
export function parseShutPlace(value: unknown): ShutPlace | undefined {
  const read = stored.safeParse(value).data;
  if (read === undefined) return undefined;
  const { id, parentId, lacking } = read;
  return { id, parentId, ...(lacking !== undefined && { lacking }) };
}

export function putShut(places: readonly ShutPlace[], place: ShutPlace): readonly ShutPlace[] {
  return [...places.filter(({ id }) => id !== place.id), place].slice(-MOST_SHUT);
}
