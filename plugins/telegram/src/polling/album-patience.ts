/**
 * Waits for the rest of an album that is polled. Nothing is held here: what is not taken in yet stays unconfirmed at Telegram
 * and comes with the next poll, with what has joined it, so a process that dies in between loses nothing and the album is the
 * same one afterwards. What stands before the first piece is taken in at once; what stands behind it waits as long. A piece
 * that comes later than that is a message of its own.
 */
import type { Clock } from "@banyan/plugin-sdk";
import { pause } from "@banyan/plugin-sdk/kit";
import type { UpdateIntake } from "../intake/update-intake.ts";
import { createAlbumWait } from "../updates/album-wait.ts";

export interface AlbumPatienceOptions {
  readonly intake: UpdateIntake;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The real server cuts an answer to one update when the same offset is asked for again sooner than this. */
const SAME_OFFSET_MS = 500;

/** Takes in what is whole, and resolves when it is time to ask for the rest. */
export function createAlbumPatience({ intake, clock, signal }: AlbumPatienceOptions): UpdateIntake {
  const albums = createAlbumWait(clock);
  return async (updates) => {
    const { count, waitMs } = albums.decide(updates);
    if (count > 0) await intake(updates.slice(0, count));
    if (count < updates.length) await pause(clock, Math.max(SAME_OFFSET_MS, waitMs), signal);
  };
}
