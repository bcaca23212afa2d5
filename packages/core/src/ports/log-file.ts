import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Enough for days of a busy gateway, little enough for an editor. */
const FILE_LIMIT_BYTES = 10 * 1024 * 1024;
/** The one that is written, and older ones behind it. */
const MOST_FILES = 4;
/** Lines go to the file in pieces of this size, or after this time; warnings and errors at once. */
const PIECE_CHARS = 4096;
const FLUSH_MS = 250;
/** How pino begins a line of a warning or an error. */
const URGENT = /^\{"level":[4-9]/;

/** The log of a gateway, kept in its state directory for who asks later. */
export interface LogFile {
  write(line: string): void;
  /** Resolves when all lines are written; those that come later are left out. Never rejects. */
  close(): Promise<void>;
}

/** The newest log file of a state directory; older ones end in `.1`, `.2`, …: the higher, the older. */
export function resolveLogFile(stateDir: string): string {
  return join(stateDir, "logs", "banyan.log");
}

/** The log files of a state directory that exist, the oldest first. */
export function listLogFiles(stateDir: string): readonly string[] {
  const file = resolveLogFile(stateDir);
  const older = Array.from({ length: MOST_FILES - 1 }, (_, at) => `${file}.${at + 1}`);
  return [...older.reverse(), file].filter((name) => existsSync(name));
}

/**
 * Opens the log file, for its owner alone. It grows to `limitBytes`, then a new one begins and the oldest is removed. A
 * disk that takes no lines is told once, by `onError`: the log is never a reason to stop.
 */
export function openLogFile(
  stateDir: string,
  { onError, limitBytes = FILE_LIMIT_BYTES }: { onError: (error: unknown) => void; limitBytes?: number },
): LogFile {
  const file = resolveLogFile(stateDir);
  try {
    makePrivateFolder(dirname(file));
    for (const kept of listLogFiles(stateDir)) chmodSync(kept, 0o600);
    return new RotatingFile(file, limitBytes, onError);
  } catch (error) {
    onError(error);
    return { write: () => undefined, close: () => Promise.resolve() };
  }
}

/** Part of the log port, which stands before any clock does: it takes the machine's time. */
class RotatingFile implements LogFile {
  readonly #file: string;
  readonly #limitBytes: number;
  readonly #onError: (error: unknown) => void;
  #fd: number;
  #size: number;
  /** Lines that are not written yet. */
  #held = "";
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(file: string, limitBytes: number, onError: (error: unknown) => void) {
    this.#file = file;
    this.#limitBytes = limitBytes;
    this.#onError = onError;
    this.#size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    this.#fd = openSync(file, "a", 0o600);
  }

  write(line: string): void {
    if (this.#isClosed) return;
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#size > 0 && this.#size + bytes > this.#limitBytes) this.#attempt(() => this.#beginNext());
    this.#size += bytes;
    this.#held += `${line}\n`;
    if (this.#held.length >= PIECE_CHARS || URGENT.test(line)) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    this.#attempt(() => closeSync(this.#fd));
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#held;
    this.#held = "";
    if (text !== "" && !this.#isClosed) this.#attempt(() => writeFileSync(this.#fd, text));
  }

  #beginNext(): void {
    this.#flush();
    const full = this.#fd;
    rmSync(`${this.#file}.${MOST_FILES - 1}`, { force: true });
    for (let at = MOST_FILES - 2; at >= 0; at -= 1) {
      const name = at === 0 ? this.#file : `${this.#file}.${at}`;
      if (existsSync(name)) renameSync(name, `${this.#file}.${at + 1}`);
    }
    this.#fd = openSync(this.#file, "a", 0o600);
    this.#size = 0;
    closeSync(full);
  }

  /** What a full disk does not take is left out; with room the lines that come then are kept again. */
  #attempt(work: () => void): void {
    try {
      work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onError(error);
      this.#isFailing = true;
    }
  }
}

/** One that exists may come from a careless copy. */
function makePrivateFolder(path: string): void {
  makeFolder(path);
  chmodSync(path, 0o700);
}

/** One folder after the other: node's own `recursive` never returns on a file system that answers ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
