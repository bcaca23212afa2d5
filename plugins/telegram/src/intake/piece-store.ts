/** The account's cursor, followed by the pieces of albums that are stored and not yet joined. */
import type { ChannelContext, InboundMessage } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import { findAlbum } from "../updates/album.ts";

type Receive = ChannelContext<unknown>["receive"];

export interface HeldPieces {
  /** In order of arrival. */
  readonly pieces: readonly Update[];
  /** Ids of skipped updates that may still come: Telegram may post out of order. */
  readonly missing: readonly number[];
  /** When the last piece of each album was stored, in epoch milliseconds; an earlier version did not write it. */
  readonly lastAt?: Readonly<Record<string, number>>;
}

export interface PieceStore {
  /** What the stored cursor says without the pieces. */
  readonly cursor: string | undefined;
  /** As last stored. */
  readonly held: HeldPieces;
  /** Stores messages, their cursor and the pieces that are held from then on, in one write; without `held` as they are. */
  receive(
    messages: readonly InboundMessage[],
    options: { readonly cursor: string },
    held?: HeldPieces,
  ): ReturnType<Receive>;
}

/** Begins the line. What comes before it is not this store's. */
const SEPARATOR = "\npieces ";
const NOTHING: HeldPieces = { pieces: [], missing: [] };

export function createPieceStore(stored: string | undefined, receive: Receive): PieceStore {
  const at = stored?.indexOf(SEPARATOR) ?? -1;
  let held = at < 0 ? NOTHING : parseHeld(stored?.slice(at + SEPARATOR.length) ?? "");
  let next: HeldPieces | undefined;

  /** While pieces are written, no other write may drop one: a second copy is recognised, a lost one is lost. */
  function listAll(): HeldPieces {
    if (next === undefined) return held;
    const ids = new Set(held.pieces.map((piece) => piece.update_id));
    return { ...next, pieces: [...held.pieces, ...next.pieces.filter((piece) => !ids.has(piece.update_id))] };
  }

  return {
    cursor: at < 0 ? stored : stored?.slice(0, at),
    get held() {
      return held;
    },
    async receive(messages, { cursor, ...rest }, changed) {
      if (changed === undefined) return receive(messages, { ...rest, cursor: cursor + format(listAll()) });
      next = changed;
      try {
        const outcomes = await receive(messages, { ...rest, cursor: cursor + format(changed) });
        held = changed;
        return outcomes;
      } finally {
        next = undefined;
      }
    },
  };
}

function format(held: HeldPieces): string {
  return held.pieces.length === 0 ? "" : SEPARATOR + JSON.stringify(held);
}

/** Ignores text that this store did not write: no start may fail because of it. */
function parseHeld(text: string): HeldPieces {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // Perhaps from another version.
    return NOTHING;
  }
  // An earlier version wrote only the pieces.
  if (Array.isArray(read)) return { pieces: read.filter(isPiece), missing: [] };
  if (typeof read !== "object" || read === null || !("pieces" in read) || !("missing" in read)) return NOTHING;
  const { pieces, missing } = read;
  if (!Array.isArray(pieces) || !Array.isArray(missing)) return NOTHING;
  return {
    pieces: pieces.filter(isPiece),
    missing: missing.filter((id): id is number => typeof id === "number"),
    ...("lastAt" in read && { lastAt: parseTimes(read.lastAt) }),
  };
}

function parseTimes(times: unknown): Readonly<Record<string, number>> {
  if (typeof times !== "object" || times === null) return {};
  const entries: readonly [string, unknown][] = Object.entries(times);
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
}

function isPiece(piece: unknown): piece is Update {
  if (typeof piece !== "object" || piece === null || !("update_id" in piece)) return false;
  const { update_id: id, ...rest } = piece;
  return typeof id === "number" && findAlbum({ update_id: id, ...rest }) !== undefined;
}
