import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync } from "node:fs";
import { openPrivate } from "../database/private-file.ts";
import type { LineWriter } from "./line-writer.ts";

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR } = constants;
/** Lines that are written at once while a file is mended; bounds memory. */
const LINES_AT_ONCE = 200;

/**
 * Appends entries to the file that ends with the entry before them. `mend`: it does not look so (it is new and they are
 * not its first ones, or the other way round), and nothing was written.
 */
export function appendTranscript(
  path: string,
  entries: { readonly firstSeq: number; readonly bodies: readonly string[] },
  write: LineWriter,
): "done" | "mend" {
  return withFile(path, O_RDWR | O_APPEND | O_CREAT, (fd) => {
    if ((fstatSync(fd).size === 0) !== (entries.firstSeq === 1)) return "mend";
    write(fd, entries.bodies);
    return "done";
  });
}

/**
 * Makes the file equal to these lines: keeps the prefix that is right, cuts what follows, writes the rest. Without lines
 * the transcript was removed meanwhile, and its file stays as it is.
 */
export function mendTranscript(path: string, bodies: Iterable<string>, write: LineWriter): void {
  withFile(path, O_RDWR | O_APPEND | O_CREAT, (fd) => {
    const { size } = fstatSync(fd);
    let offset = 0;
    let missing: string[] | undefined;
    let isRemoved = true;
    for (const body of bodies) {
      const line = Buffer.from(`${body}\n`);
      isRemoved = false;
      if (missing === undefined && startsWith(fd, offset, line)) {
        offset += line.length;
        continue;
      }
      if (missing === undefined) {
        missing = [];
        ftruncateSync(fd, offset);
      }
      missing.push(body);
      if (missing.length >= LINES_AT_ONCE) write(fd, missing.splice(0));
    }
    if (missing === undefined && size > offset && !isRemoved) ftruncateSync(fd, offset);
    if (missing !== undefined && missing.length > 0) write(fd, missing);
  });
}

/** Whether the file's last line is this one; a quick look, for files that were synced up to it. */
export function endsWith(path: string, body: string): boolean {
  try {
    return withFile(path, O_RDONLY, (fd) => {
      const line = Buffer.from(`${body}\n`);
      const start = fstatSync(fd).size - line.length;
      if (start < 0 || !startsWith(fd, start, line)) return false;
      return start === 0 || startsWith(fd, start - 1, Buffer.from("\n"));
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

export function syncFile(path: string): void {
  withFile(path, O_RDONLY, fsyncSync);
}

function startsWith(fd: number, offset: number, expected: Buffer): boolean {
  const found = Buffer.allocUnsafe(expected.length);
  return readSync(fd, found, 0, expected.length, offset) === expected.length && found.equals(expected);
}

/** Never through a symbolic link: the layout stays below its folder. */
function withFile<T>(path: string, flags: number, use: (fd: number) => T): T {
  const fd = openPrivate(path, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
