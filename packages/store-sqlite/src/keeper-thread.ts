import { statSync } from "node:fs";
import type { Clock, Log } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/store";
import { getDatabasePath } from "./database/open-database.ts";
import { formatCause } from "./database/sqlite-error.ts";
import type { CheckEnd, FromKeeper, KeeperErrand } from "./keeper/keeper-message.ts";
import { formatRestoreCure } from "./keeper/list-backups.ts";
import { startThread, type WorkerThread } from "./worker-thread.ts";

/** Late enough to leave the start alone. */
const CHECK_AFTER_MS = 5_000;
const BACKUP_EVERY_MS = 3_600_000;
/** Restarts do not make backups more frequent. */
const BACKUP_MIN_AGE_MS = 3_300_000;

/** Looked through in some 15 ms where its pages are in memory. */
const SMALL_FILE_BYTES = 32 * 1024 * 1024;

export interface KeeperParts {
  readonly stateDir: string;
  readonly faultPointModule?: string;
  readonly clock: Clock;
  readonly log: Log | undefined;
  onDamage(error: StoreError): void;
  /** Called when a backup was written. */
  onBackup?(): void;
  /** Looks through a small file in a thread that is there anyway. `undefined`: it is not. */
  checkSmall?(): Promise<CheckEnd | undefined>;
}

/** What an errand's thread said, or that it died without a word. */
type ErrandEnd = FromKeeper | { readonly type: "died"; readonly cause: string };

/**
 * Looks after the database file in the background, one errand at a time, each in a thread that ends with it; one that
 * dies is begun once more.
 */
export class KeeperThread {
  readonly #parts: KeeperParts;
  #cancelNext: () => void;
  #running: { readonly errand: KeeperErrand["errand"]; readonly thread: WorkerThread<never> } | undefined;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#cancelNext = parts.clock.schedule(CHECK_AFTER_MS, () => void this.#lookAfterStart());
  }

  /** Resolves when the whole file was looked through. `false`: it is damaged. */
  async check(): Promise<boolean> {
    const { stateDir } = this.#parts;
    const answer = await this.#run({ errand: "check", stateDir });
    if (answer?.type !== "checked" || answer.damage === undefined) return true;
    this.#parts.onDamage(
      new StoreError(
        "corrupt",
        `checking the store in ${stateDir}: the database is damaged (${answer.damage}); ${formatRestoreCure(stateDir)}`,
      ),
    );
    return false;
  }

  /** The new file's path; `undefined` where nothing changed since the newest one. */
  async backUp(minAgeMs = 0): Promise<string | undefined> {
    const { stateDir, faultPointModule } = this.#parts;
    const faultPoint = faultPointModule === undefined ? {} : { faultPointModule };
    const answer = await this.#run({ errand: "backup", stateDir, minAgeMs, ...faultPoint });
    if (answer?.type !== "backed_up" || answer.path === undefined) return undefined;
    this.#parts.onBackup?.();
    return answer.path;
  }

  /** Ends a check where it stands; a backup that was begun is finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelNext();
    if (this.#running?.errand === "check") await this.#running.thread.terminate();
    await this.#last;
  }

  /** A damaged database is not copied: its copies would replace sound ones. */
  async #lookAfterStart(): Promise<void> {
    if (await this.check()) await this.#backUpRegularly();
  }

  async #backUpRegularly(): Promise<void> {
    await this.backUp(BACKUP_MIN_AGE_MS);
    if (this.#isClosed) return;
    this.#cancelNext = this.#parts.clock.schedule(BACKUP_EVERY_MS, () => void this.#backUpRegularly());
  }

  async #run(errand: KeeperErrand): Promise<ErrandEnd | undefined> {
    const before = this.#last;
    const done = Promise.withResolvers<void>();
    this.#last = done.promise;
    await before;
    try {
      if (this.#isClosed) return undefined;
      const first = await this.#runErrand(errand);
      const answer = first.type === "died" && !this.#isClosed ? await this.#runInThread(errand) : first;
      if ((answer.type === "failed" || answer.type === "died") && !this.#isClosed) {
        this.#parts.log?.warn({ errand: errand.errand, cause: answer.cause }, "looking after the store's file failed");
      }
      return answer;
    } finally {
      done.resolve();
    }
  }

  /** A thread of its own costs more memory than a small file has: that is looked through beside other work. */
  async #runErrand(errand: KeeperErrand): Promise<ErrandEnd> {
    const isSmall = errand.errand === "check" && readFileSize(this.#parts.stateDir) <= SMALL_FILE_BYTES;
    return (isSmall ? await this.#parts.checkSmall?.() : undefined) ?? this.#runInThread(errand);
  }

  #runInThread(errand: KeeperErrand): Promise<ErrandEnd> {
    return new Promise((resolve) => {
      let answer: FromKeeper | undefined;
      const thread = startThread<never, FromKeeper>("keeper", errand, {
        onMessage(message) {
          answer = message;
        },
        onEnd: (death) => {
          this.#running = undefined;
          resolve(answer ?? { type: "died", cause: death === undefined ? "its worker ended" : formatCause(death) });
        },
      });
      this.#running = { errand: errand.errand, thread };
    });
  }
}

/** 0 where there is no file, which the check then says. */
function readFileSize(stateDir: string): number {
  return statSync(getDatabasePath(stateDir), { throwIfNoEntry: false })?.size ?? 0;
}
