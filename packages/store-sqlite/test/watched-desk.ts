import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Step, StepResult, Store } from "@banyan/store";
import type { ModelSubject } from "@banyan/store/suite";
import { createInlineStore } from "@banyan/store-sqlite/inline";
import { buildInlineDatabase } from "../src/inline/inline-database.ts";
import { createManualClock } from "./manual-clock.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const FILE = "banyan.db";
const MOST_LOOKS_IN_STEP = 4;

/** Looks at all rows. */
function createLook(database: DatabaseSync): () => string {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const tables = names.map(({ name }) => database.prepare(`SELECT * FROM ${String(name)}`));
  return () => JSON.stringify(tables.map((rows) => rows.all()));
}

/**
 * A store on a file. While a step writes, each write of a row is a fault point: a second connection looks there, and the
 * files are copied as a process that is killed there leaves them.
 */
export class WatchedDesk implements ModelSubject {
  readonly store: Store;
  /** What was seen that should not be, in words. */
  readonly wrong: string[] = [];
  /** How often a step of this kind was looked at in the middle of its writes. */
  readonly looks: Map<Step["step"], number> = new Map();
  readonly #folder: string = createTemporaryFolder();
  readonly #database: DatabaseSync;
  readonly #second: DatabaseSync;
  readonly #look: () => string;
  readonly #mostLooks: number;
  #onWrite: () => void = () => undefined;

  /** Of each kind, so many steps are watched. */
  constructor(mostLooks: number) {
    this.#mostLooks = mostLooks;
    const path = join(this.#folder, FILE);
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
    const data = buildInlineDatabase(this.#database);
    this.#database.function("written", { directOnly: false }, () => {
      this.#onWrite();
      return null;
    });
    for (const { name } of this.#database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
      for (const event of ["INSERT", "UPDATE", "DELETE"])
        this.#database.exec(
          `CREATE TEMP TRIGGER ${name}_${event} AFTER ${event} ON main.${name} BEGIN SELECT written(); END`,
        );
    this.#second = new DatabaseSync(path, { readOnly: true });
    this.#look = createLook(this.#second);
    const inner = createInlineStore({ data, clock: createManualClock() });
    this.store = { ...inner, commit: (step) => this.#watch(step, inner) };
  }

  async #watch<S extends Step>(step: S, inner: Store): Promise<StepResult<S>> {
    const looks = this.looks.get(step.step) ?? 0;
    if (looks >= this.#mostLooks) return inner.commit(step);
    const before = this.#look();
    let writes = 0;
    let killed: string | undefined;
    this.#onWrite = () => {
      writes += 1;
      if (writes <= MOST_LOOKS_IN_STEP && this.#look() !== before)
        this.wrong.push(`${step.step}: another connection sees ${writes} of its writes`);
      // The first write has something before it and the rest after it.
      if (writes === 2 || killed === undefined) killed = this.#copy(`${step.step} ${looks}`);
    };
    const result = await inner.commit(step);
    this.#onWrite = () => undefined;
    if (writes === 0) return result;
    this.looks.set(step.step, looks + 1);
    const after = createLook(this.#database)();
    if (this.#look() !== after) this.wrong.push(`${step.step}: another connection does not see all of it`);
    if (killed !== undefined && this.#openCopy(killed) !== before)
      this.wrong.push(`${step.step}: a process that is killed in the middle leaves a part of it`);
    if (this.#openCopy(this.#copy(`${step.step} ${looks} done`)) !== after)
      this.wrong.push(`${step.step}: a process that is killed after it leaves less than it`);
    return result;
  }

  #copy(name: string): string {
    const folder = join(this.#folder, name);
    for (const file of [FILE, `${FILE}-wal`])
      if (existsSync(join(this.#folder, file))) cpSync(join(this.#folder, file), join(folder, file));
    return folder;
  }

  #openCopy(folder: string): string {
    const database = new DatabaseSync(join(folder, FILE));
    try {
      return createLook(database)();
    } finally {
      database.close();
    }
  }

  async reopen(): Promise<void> {
    // The second connection has nothing in memory either.
  }

  dump(): Uint8Array {
    return new Uint8Array();
  }

  recount(): readonly string[] {
    return [];
  }

  close(): void {
    this.#second.close();
    this.#database.close();
  }
}
