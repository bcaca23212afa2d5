import type { Clock, Log } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/plugin-sdk/store";
import { formatCause } from "./database/sqlite-error.ts";
import type { FromKeeper, KeeperErrand } from "./keeper/keeper-message.ts";
import { startThread } from "./worker-thread.ts";

/** Late enough to leave the start alone. */
const CHECK_AFTER_MS = 5_000;
/** The first look after a start: it may have been down for long. */
const FIRST_BACKUP_AFTER_MS = 300_000;
const BACKUP_EVERY_MS = 3_600_000;
/** Restarts do not make backups more frequent. */
const BACKUP_MIN_AGE_MS = 3_300_000;

export interface KeeperParts {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Log | undefined;
  onDamage(error: StoreError): void;
}

/** Looks after the database file in the background, one errand at a time, each in a thread that ends with it. */
export class KeeperThread {
  readonly #parts: KeeperParts;
  readonly #cancels: (() => void)[] = [];
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#schedule(CHECK_AFTER_MS, () => this.check());
    this.#schedule(FIRST_BACKUP_AFTER_MS, () => this.#backUpRegularly());
  }

  /** Resolves when the whole file was looked through. */
  async check(): Promise<void> {
    const answer = await this.#run({ errand: "check", stateDir: this.#parts.stateDir });
    if (answer?.type !== "checked" || answer.damage === undefined) return;
    this.#parts.onDamage(
      new StoreError(
        "corrupt",
        `checking the store in ${this.#parts.stateDir}: the database is damaged (${answer.damage}); stop, and restore the newest file of its folder backups`,
      ),
    );
  }

  /** The new file's path; `undefined` where nothing changed since the newest one. */
  async backUp(minAgeMs = 0): Promise<string | undefined> {
    const answer = await this.#run({ errand: "backup", stateDir: this.#parts.stateDir, minAgeMs });
    return answer?.type === "backed_up" ? answer.path : undefined;
  }

  /** Waits for the errand that is being run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    await this.#last;
  }

  async #backUpRegularly(): Promise<void> {
    await this.backUp(BACKUP_MIN_AGE_MS);
    if (!this.#isClosed) this.#schedule(BACKUP_EVERY_MS, () => this.#backUpRegularly());
  }

  #schedule(delayMs: number, errand: () => Promise<void>): void {
    this.#cancels.push(this.#parts.clock.schedule(delayMs, () => void errand()));
  }

  async #run(errand: KeeperErrand): Promise<FromKeeper | undefined> {
    const before = this.#last;
    const done = Promise.withResolvers<void>();
    this.#last = done.promise;
    await before;
    try {
      if (this.#isClosed) return undefined;
      const answer = await runInThread(errand);
      if (answer.type === "failed") {
        this.#parts.log?.warn({ errand: errand.errand, cause: answer.cause }, "looking after the store's file failed");
      }
      return answer;
    } finally {
      done.resolve();
    }
  }
}

function runInThread(errand: KeeperErrand): Promise<FromKeeper> {
  return new Promise((resolve) => {
    let answer: FromKeeper | undefined;
    startThread<never, FromKeeper>("keeper", errand, {
      onMessage(message) {
        answer = message;
      },
      onEnd(death) {
        resolve(answer ?? { type: "failed", cause: death === undefined ? "its worker ended" : formatCause(death) });
      },
    });
  });
}
