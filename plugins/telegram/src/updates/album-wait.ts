/**
 * How long the pieces of an album wait for one another: they come as updates of their own within a moment, and nothing says
 * which is the last. One of these for each account that polls, asked with all that waits there.
 */
import type { Clock } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import { ALBUM_LIMIT_PIECES, findAlbum } from "./album.ts";

export interface AlbumWait {
  /**
   * How many of the updates, from the first on, can be taken in now, and after how many milliseconds to ask again where
   * others are left. What is taken in is to be left out of the next question.
   */
  decide(updates: readonly Update[]): { readonly count: number; readonly waitMs: number };
}

/** From the first piece on. Row T49 of the fault table: "collect for about 1 s". */
const WAIT_MS = 1_000;
/** Albums that never stop coming, each within another, do not hold up the account for longer. */
const LONGEST_WAIT_MS = 5_000;

export function createAlbumWait(clock: Pick<Clock, "monotonic">): AlbumWait {
  let seenAt = new Map<string, number>();
  return {
    decide(updates) {
      const now = clock.monotonic();
      seenAt = noteAlbums(updates, seenAt, now);
      const isOpen = (album: string) => now - (seenAt.get(album) ?? now) < WAIT_MS;
      const isPatient = now - Math.min(...seenAt.values()) < LONGEST_WAIT_MS;
      const count = seenAt.size > 0 && isPatient ? countReady(updates, isOpen) : updates.length;
      const due = [...seenAt].filter(([album]) => isOpen(album)).map(([, at]) => at + WAIT_MS);
      // A piece that comes later than all others begins to wait anew.
      seenAt = noteAlbums(updates.slice(count), seenAt, now);
      return { count, waitMs: count === updates.length ? 0 : Math.max(0, Math.min(...due) - now) };
    },
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
