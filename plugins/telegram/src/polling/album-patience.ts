/**
 * Waits for the rest of an album. Its pieces come as updates of their own within a moment; nothing says which is the last.
 *
 * Nothing is held here: what is not taken in yet stays unconfirmed at Telegram and comes with the next poll, with what has
 * joined it, so a process that dies in between loses nothing and the album is the same one afterwards. What stands before
 * the first piece is taken in at once; what stands behind it waits as long. A piece that comes later than that is a message
 * of its own.
 */
import type { Clock } from "@banyan/plugin-sdk";
import { pause } from "@banyan/plugin-sdk/kit";
import type { Update } from "grammy/types";
import { ALBUM_LIMIT_PIECES, findAlbum } from "../updates/album.ts";
import type { UpdateIntake } from "./update-intake.ts";

export interface AlbumPatienceOptions {
  readonly intake: UpdateIntake;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** From the first piece on. Row T49 of the fault table: "collect for about 1 s". */
const WAIT_MS = 1_000;
/** Albums that never stop coming, each within another, do not hold up the account for longer. */
const LONGEST_WAIT_MS = 5_000;
/** The real server cuts an answer to one update when the same offset is asked for again sooner than this. */
const SAME_OFFSET_MS = 500;

/** Takes in what is whole, and resolves when it is time to ask for the rest. */
export function createAlbumPatience({ intake, clock, signal }: AlbumPatienceOptions): UpdateIntake {
  let seenAt = new Map<string, number>();
  return async (updates) => {
    const now = clock.monotonic();
    seenAt = noteAlbums(updates, seenAt, now);
    const oldest = Math.min(...seenAt.values());
    const isOpen = (album: string) => now - (seenAt.get(album) ?? now) < WAIT_MS;
    const count = now - oldest >= LONGEST_WAIT_MS ? updates.length : countReady(updates, isOpen);
    if (count > 0) await intake(updates.slice(0, count));
    seenAt = noteAlbums(updates.slice(count), seenAt, now);
    if (count === updates.length) return;
    const due = Math.min(...[...seenAt].filter(([album]) => isOpen(album)).map(([, at]) => at + WAIT_MS));
    await pause(clock, Math.max(SAME_OFFSET_MS, due - clock.monotonic()), signal);
  };
}

/** When each album of these updates was seen first; the others are forgotten. */
function noteAlbums(updates: readonly Update[], before: ReadonlyMap<string, number>, now: number): Map<string, number> {
  const albums = updates.flatMap((update) => findAlbum(update) ?? []);
  return new Map(albums.map((album) => [album, before.get(album) ?? now]));
}

/**
 * How many of the updates, from the first on, can be taken in: up to the first piece of an album that may grow, and of any
 * that has pieces behind that one.
 */
export function countReady(updates: readonly Update[], isOpen: (album: string) => boolean): number {
  const albums = updates.map(findAlbum);
  const sizes = new Map<string, number>();
  for (const album of albums) if (album !== undefined) sizes.set(album, (sizes.get(album) ?? 0) + 1);
  const mayGrow = (album: string) => isOpen(album) && (sizes.get(album) ?? 0) < ALBUM_LIMIT_PIECES;
  let count = albums.findIndex((album) => album !== undefined && mayGrow(album));
  if (count === -1) return updates.length;
  for (;;) {
    const behind = new Set(albums.slice(count));
    const first = albums.findIndex((album) => album !== undefined && behind.has(album));
    if (first === -1 || first >= count) return count;
    count = first;
  }
}
