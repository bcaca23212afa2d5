/** A file that holds a registered secret is shown in no part: no check can recognise a part of a secret. */
import { type FileHandle, lstat } from "node:fs/promises";
import { SecretWatch } from "../../ports/secret-scrubber.ts";
import { ToolFailure } from "../tool-failure.ts";
import { openRegularFile } from "./regular-file.ts";
import type { LocatedPath } from "./workspace-path.ts";

const PIECE_BYTES = 256 * 1024;

export interface SecretLook {
  /** Removes registered secrets from a text. */
  readonly scrub: (text: string) => string;
  readonly signal: AbortSignal;
}

/** Throws for a file that holds a secret anywhere. Reads the file to its end. */
export async function refuseSecretFile(handle: FileHandle, { scrub, signal }: SecretLook): Promise<void> {
  const secrets = new SecretWatch(scrub);
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(piece, 0, piece.length, position);
    if (bytesRead === 0) return;
    if (secrets.sees(piece.subarray(0, bytesRead))) throw secretFailure();
    position += bytesRead;
  }
}

/** The same for bytes in memory. */
export function refuseSecret(bytes: Buffer, scrub: SecretLook["scrub"]): void {
  if (new SecretWatch(scrub).sees(bytes)) throw secretFailure();
}

/** The same for a file among a program's arguments: a program could print it in parts. `path`: as the agent wrote it. */
export async function refuseSecretArgument(
  path: string,
  { realPath, missing }: LocatedPath,
  look: SecretLook,
): Promise<void> {
  if (missing !== undefined || !(await lstat(realPath)).isFile()) return;
  const { handle } = await openRegularFile(realPath);
  try {
    await refuseSecretFile(handle, look);
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    const why = `${JSON.stringify(path)} contains a secret of this gateway and is not passed to programs; continue without it.`;
    throw new ToolFailure("permission", why, { cause });
  } finally {
    await handle.close();
  }
}

function secretFailure(): ToolFailure {
  return new ToolFailure("permission", "it contains a secret of this gateway and is not shown; continue without it.");
}
