import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { resolveLogFile } from "@banyan/core";

/** Short for a person who looks on, long enough to cost nothing. */
const LOOK_EVERY_MS = 250;
const PIECE_BYTES = 64 * 1024;

/** New lines of the log as they are written, also when a new file begins, until the signal aborts. */
export async function* followLog(stateDir: string, offset: number, signal: AbortSignal): AsyncGenerator<string> {
  const path = resolveLogFile(stateDir);
  let file = await openIfThere(path);
  let at = offset;
  let rest = "";
  try {
    while (!signal.aborted) {
      for (let piece = await readPiece(file, at); piece.length > 0; piece = await readPiece(file, at)) {
        at += piece.length;
        const lines = `${rest}${piece.toString("utf8")}`.split("\n");
        rest = lines.pop() ?? "";
        yield* lines;
      }
      const next = await openIfReplaced(path, file);
      if (next !== undefined) {
        await file?.close();
        [file, at, rest] = [next, 0, ""];
      } else await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await file?.close();
  }
}

/** Up to the last line's end, so that no character is cut in two; empty when nothing is complete. */
async function readPiece(file: FileHandle | undefined, at: number): Promise<Buffer> {
  if (file === undefined) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, at);
  const end = buffer.subarray(0, bytesRead).lastIndexOf("\n".charCodeAt(0)) + 1;
  // A line longer than a piece is shown in pieces.
  return buffer.subarray(0, end > 0 || bytesRead < PIECE_BYTES ? end : bytesRead);
}

async function openIfReplaced(path: string, file: FileHandle | undefined): Promise<FileHandle | undefined> {
  if (file === undefined) return openIfThere(path);
  const [now, held] = await Promise.all([statIfThere(path), file.stat()]);
  return now === undefined || now.ino === held.ino ? undefined : openIfThere(path);
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return (await statIfThere(path)) === undefined ? undefined : open(path, "r");
}

async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
