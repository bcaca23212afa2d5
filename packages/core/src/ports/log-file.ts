import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { destination } from "pino";

/** Enough for days of a busy gateway, little enough for an editor. */
const FILE_LIMIT_BYTES = 10 * 1024 * 1024;
/** The one that is written, and older ones behind it. */
const MOST_FILES = 4;
/** Lines go to the file in pieces of this size, or after this time; warnings and errors at once. */
const PIECE_BYTES = 4096;
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

class RotatingFile implements LogFile {
  readonly #file: string;
  readonly #limitBytes: number;
  readonly #stream: ReturnType<typeof destination>;
  #size: number;
  /** It takes no more lines: the disk takes none, or it is closed. */
  #isOver = false;

  constructor(file: string, limitBytes: number, onError: (error: unknown) => void) {
    this.#file = file;
    this.#limitBytes = limitBytes;
    this.#size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    this.#stream = destination({
      dest: file,
      sync: true,
      minLength: PIECE_BYTES,
      periodicFlush: FLUSH_MS,
      mode: 0o600,
    });
    this.#stream.on("error", (error: Error) => {
      if (!this.#isOver) onError(error);
      this.#isOver = true;
    });
  }

  write(line: string): void {
    if (this.#isOver) return;
    const text = `${line}\n`;
    if (this.#size > 0 && this.#size + text.length > this.#limitBytes) this.#beginNext();
    this.#size += Buffer.byteLength(text);
    this.#stream.write(text);
    if (URGENT.test(line)) this.#stream.flushSync();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) return resolve();
      this.#isOver = true;
      this.#stream.once("close", resolve);
      this.#stream.once("error", () => resolve());
      this.#stream.end();
    });
  }

  #beginNext(): void {
    this.#stream.flushSync();
    rmSync(`${this.#file}.${MOST_FILES - 1}`, { force: true });
    for (let at = MOST_FILES - 2; at >= 0; at -= 1) {
      const name = at === 0 ? this.#file : `${this.#file}.${at}`;
      if (existsSync(name)) renameSync(name, `${this.#file}.${at + 1}`);
    }
    this.#stream.reopen();
    this.#size = 0;
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
