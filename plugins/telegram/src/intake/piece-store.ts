/** The account's cursor with, behind it, the pieces of albums that are stored and not yet joined. */
import type { ChannelContext } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";
import { findAlbum } from "../updates/album.ts";

type Receive = ChannelContext<unknown>["receive"];

export interface PieceStore {
  /** What the cursor says without the pieces. */
  readonly cursor: string | undefined;
  /** In the order in which they came. */
  readonly pieces: readonly Update[];
  /** From now on the pieces that go with each cursor. */
  set(pieces: readonly Update[]): void;
  /** Instead of the context's: it adds the pieces to the cursor that is stored. */
  readonly receive: Receive;
}

/** Begins the line. What stands before it is none of this store's. */
const SEPARATOR = "\npieces ";

export function createPieceStore(stored: string | undefined, receive: Receive): PieceStore {
  const at = stored?.indexOf(SEPARATOR) ?? -1;
  const cursor = at < 0 ? stored : stored?.slice(0, at);
  let pieces = at < 0 ? [] : parsePieces(stored?.slice(at + SEPARATOR.length) ?? "");
  return {
    cursor,
    get pieces() {
      return pieces;
    },
    set(next) {
      pieces = next;
    },
    receive(messages, options) {
      const next = options?.cursor;
      if (next === undefined || pieces.length === 0) return receive(messages, options);
      return receive(messages, { ...options, cursor: next + SEPARATOR + JSON.stringify(pieces) });
    },
  };
}

/** Our own writing; what it is not is let go, for no start may fail over it. */
function parsePieces(text: string): readonly Update[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // Of another version, perhaps.
    return [];
  }
  return Array.isArray(read) ? read.filter(isPiece) : [];
}

function isPiece(piece: unknown): piece is Update {
  if (typeof piece !== "object" || piece === null || !("update_id" in piece)) return false;
  const { update_id: id, ...rest } = piece;
  return typeof id === "number" && findAlbum({ update_id: id, ...rest }) !== undefined;
}
