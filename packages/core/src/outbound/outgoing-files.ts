/**
 * The copies of files that are being sent to a chat: `<stateDir>/outgoing/<sha256>`. A delivery names a copy by its content,
 * so each attempt, also in a later process, sends the same bytes, even if the file in the workspace has changed.
 */
import { createHash } from "node:crypto";
import { lstat, mkdir, open, readdir, readFile, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { ChannelError, type DeliveryFile, type OutboundFile } from "@banyan/plugin-sdk";
import type { Ports } from "../ports/ports.ts";
import { SecretWatch } from "../ports/secret-scrubber.ts";

const FOLDER = "outgoing";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PIECE_BYTES = 256 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/** An open file of `node:fs/promises`. */
export interface OpenFile {
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

export type KeptFile = Pick<DeliveryFile, "sha256" | "sizeBytes">;

export interface OutgoingFiles {
  /**
   * Copies an open file. The copy survives a power cut once this resolves. A file with a registered secret is not copied.
   * Rejects with the system's error.
   */
  keep(file: OpenFile): Promise<KeptFile | "holds-secret">;
  /** Gives a plugin the copy. */
  open(file: DeliveryFile): OutboundFile;
  /** Removes copies that were not used for this time. */
  prune(olderThanMs: number): Promise<void>;
}

export function createOutgoingFiles(
  stateDir: string,
  ports: Pick<Ports, "clock" | "createUuid" | "scrub">,
): OutgoingFiles {
  const folder = join(stateDir, FOLDER);
  return {
    async keep(file) {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      const begun = join(folder, `${ports.createUuid()}.part`);
      try {
        const copied = await copy(file, begun, new SecretWatch(ports.scrub));
        if (copied === "holds-secret") {
          await rm(begun, { force: true });
          return copied;
        }
        await rename(begun, join(folder, copied.sha256));
        await syncFolder(folder);
        return copied;
      } catch (error) {
        await rm(begun, { force: true });
        throw error;
      }
    },
    open: ({ name, sizeBytes, sha256 }) => ({ name, sizeBytes, read: () => readCopy(folder, sha256, ports) }),
    async prune(olderThanMs) {
      for (const name of await listCopies(folder)) {
        const path = join(folder, name);
        if (await isOlder(path, ports.clock.now() - olderThanMs)) await rm(path, { force: true, recursive: true });
      }
    },
  };
}

async function copy(from: OpenFile, path: string, secrets: SecretWatch): Promise<KeptFile | "holds-secret"> {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(PIECE_BYTES);
  const to = await open(path, "wx", FILE_MODE);
  try {
    let sizeBytes = 0;
    for (;;) {
      const { bytesRead } = await from.read(piece, 0, piece.length, sizeBytes);
      if (bytesRead === 0) break;
      if (secrets.sees(piece.subarray(0, bytesRead))) return "holds-secret";
      hash.update(piece.subarray(0, bytesRead));
      // Writes everything, while a single `write` may not.
      await to.writeFile(piece.subarray(0, bytesRead));
      sizeBytes += bytesRead;
    }
    await to.sync();
    return { sha256: hash.digest("hex"), sizeBytes };
  } finally {
    await to.close();
  }
}

/** A copy that is being made may have another name by now. */
async function isOlder(path: string, before: number): Promise<boolean> {
  try {
    return (await lstat(path)).mtimeMs < before;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** Marks the copy as used, and reads it. */
async function readCopy(folder: string, sha256: string, { clock }: Pick<Ports, "clock">): Promise<Uint8Array> {
  const path = join(folder, SHA256.test(sha256) ? sha256 : "none");
  try {
    const now = new Date(clock.now());
    await utimes(path, now, now);
    return await readFile(path);
  } catch (cause) {
    const advice = "nothing is sent; have the agent send the file again";
    throw new ChannelError("permanent", `A file was sent: its copy cannot be read; ${advice}`, { cause });
  }
}

async function listCopies(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
