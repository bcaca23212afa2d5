/**
 * Decides when an album is complete. A piece does not say how many there are, and time alone proves nothing: after a
 * failure Telegram sends each piece again after a separate delay of up to two minutes. Pure.
 */
import type { Update } from "grammy/types";
import { ALBUM_LIMIT_PIECES, findAlbum } from "../updates/album.ts";
import { decideNextId, REACH } from "../webhook/update-order.ts";
import type { HeldPieces } from "./piece-store.ts";

export interface AlbumState {
  readonly held: HeldPieces;
  /** The id after the last update seen; `undefined` if it is not known. */
  readonly nextId: number | undefined;
}

export interface AlbumRules {
  /** Telegram posts, so a skipped id may come later. A poll returns all in order. */
  readonly isPosted: boolean;
  /** Whether a piece was already joined. */
  readonly isJoined: (updateId: number) => boolean;
}

export interface AlbumDecision extends AlbumState {
  /** Updates that can be stored as messages now, in order; the pieces of one album are consecutive. */
  readonly ready: readonly Update[];
}

/** The number of latest skipped ids that are remembered. */
const MAX_MISSING = 100;

/** Decides about these updates: pieces are held, a complete album is ready. */
export function decideAlbums(updates: readonly Update[], before: AlbumState, rules: AlbumRules): AlbumDecision {
  let { held, nextId } = before;
  const ready: Update[] = [];
  function release(album: string): void {
    ready.push(...listPieces(held, album));
    held = { ...held, pieces: held.pieces.filter((piece) => findAlbum(piece) !== album) };
  }
  for (const album of listAlbums(held)) if (isFollowed(listPieces(held, album), before)) release(album);
  for (const update of updates) {
    ({ held, nextId } = noteId(update.update_id, { held, nextId }, rules));
    const album = findAlbum(update);
    if (isHeld(update, held) || (album !== undefined && rules.isJoined(update.update_id))) continue;
    for (const begun of listAlbums(held)) if (begun !== album && isEndedBy(update, begun, held)) release(begun);
    if (album === undefined) ready.push(update);
    else {
      held = { ...held, pieces: [...held.pieces, update] };
      if (listPieces(held, album).length >= ALBUM_LIMIT_PIECES) release(album);
    }
  }
  return { ready, held, nextId };
}

/** Notes when the last piece of each album that is held was stored. */
export function stampAlbums(held: HeldPieces, before: HeldPieces, nowMs: number): HeldPieces {
  const times = listAlbums(held).map((album): [string, number] => {
    const isSame = listPieces(held, album).length === listPieces(before, album).length;
    return [album, (isSame ? before.lastAt?.[album] : undefined) ?? nowMs];
  });
  const { pieces, missing } = held;
  return times.length === 0 ? { pieces, missing } : { pieces, missing, lastAt: Object.fromEntries(times) };
}

/** Lists albums with held pieces, the one whose last piece is oldest first. */
export function listAlbums({ pieces }: HeldPieces): readonly string[] {
  return [...new Set(pieces.toReversed().flatMap((piece) => findAlbum(piece) ?? []))].toReversed();
}

export function listPieces({ pieces }: HeldPieces, album: string): readonly Update[] {
  return pieces.filter((piece) => findAlbum(piece) === album);
}

/**
 * Tells whether all updates up to `endId`, or up to some distance after the last piece, have arrived: Telegram gives
 * the pieces of an album ids that are close together.
 */
export function isFollowed(
  pieces: readonly Update[],
  { held, nextId = 0 }: AlbumState,
  endId: number = Number.POSITIVE_INFINITY,
): boolean {
  const ids = pieces.map(({ update_id: id }) => id);
  const end = Math.min(endId, Math.max(...ids) + REACH);
  return nextId >= end && !isMissing(held, Math.min(...ids), end);
}

/** The chat continues after the album, and no update in between is missing. */
function isEndedBy({ update_id: id, message, channel_post: post }: Update, album: string, held: HeldPieces): boolean {
  if (!album.startsWith(`${(message ?? post)?.chat.id}/`)) return false;
  const ids = listPieces(held, album).map((piece) => piece.update_id);
  return id > Math.max(...ids) && !isMissing(held, Math.min(...ids), id);
}

function isMissing({ missing }: HeldPieces, firstId: number, endId: number): boolean {
  return missing.some((id) => id > firstId - REACH && id < endId);
}

function isHeld({ update_id: id }: Update, { pieces }: HeldPieces): boolean {
  return pieces.some((piece) => piece.update_id === id);
}

/** Records which ids were skipped before this one. */
function noteId(id: number, { held, nextId }: AlbumState, { isPosted }: AlbumRules): AlbumState {
  // If earlier updates are unknown, they may include pieces of the same album.
  const expected = nextId ?? id - ALBUM_LIMIT_PIECES;
  const isGap = isPosted && id > expected && id - expected < REACH;
  const passed = isGap ? Array.from({ length: id - expected }, (_, index) => expected + index) : [];
  const missing = [...held.missing, ...passed].filter((one) => one !== id).slice(-MAX_MISSING);
  return { held: { ...held, missing }, nextId: decideNextId(nextId, id) };
}

/** What an album waits for after its last piece. */
export interface AlbumWait {
  /** For how long it had waited when this process began to wait for it, in milliseconds. */
  readonly earlierMs: number;
  /** For how long this process has waited, in milliseconds. */
  readonly waitedMs: number;
  /** When all updates below this id have arrived, so have all that were pending at the first answer. */
  readonly endId: number | undefined;
}

/**
 * What was refused comes again within two minutes, or after the hour that "Retry-After" may name at most ("Webhook",
 * telegram-bot-api). An album that waits longer is not worth the silence.
 */
export const MAX_WAIT_MS: number = 2 * 60 * 60_000;
/** Row T49 of the fault table: "collect for about 1 s". */
const ASK_MS = 1_000;
/** Longer than Telegram itself holds back what was refused. From then on an answer is not worth a call each second. */
export const SLOW_AFTER_MS = 150_000;
const SLOW_ASK_MS = 30_000;

/** How long to wait before Telegram is asked how many updates are pending. */
export function decideAskMs({ waitedMs }: Pick<AlbumWait, "waitedMs">): number {
  return waitedMs < SLOW_AFTER_MS ? ASK_MS : SLOW_ASK_MS;
}

/**
 * Decides about an album after Telegram reported how many updates are pending; `undefined`: it did not answer. `late`:
 * the album is passed on although an update is still pending.
 */
export function decideAlbumEnd(
  pieces: readonly Update[],
  state: AlbumState,
  wait: AlbumWait,
  waiting: number | undefined,
): "whole" | "late" | AlbumWait {
  const ids = pieces.map(({ update_id: id }) => id);
  const next = Math.max(state.nextId ?? 0, ...ids.map((id) => id + 1));
  const end = wait.endId ?? (waiting === undefined ? undefined : next + waiting);
  if (waiting === 0 || isFollowed(pieces, state, end)) return "whole";
  const { earlierMs } = wait;
  const waitedMs = wait.waitedMs + decideAskMs(wait);
  // Where others go on without end, an id that was passed over may be one that never was.
  const isPassed = end !== undefined && next >= end && waitedMs >= SLOW_AFTER_MS;
  // Not right after a start: what waited at Telegram meanwhile comes first.
  const isOver = earlierMs + waitedMs >= MAX_WAIT_MS && waitedMs >= SLOW_AFTER_MS;
  return isPassed || isOver ? "late" : { earlierMs, waitedMs, endId: end };
}
